import { call, startReplica, uniqueName } from '@manc/harness'
import { StoreProxy } from '@manc/harness/metrics-store'
import { describe, expect, inject } from 'vitest'
import { test as it, type MetricsEnvironment } from './environment.ts'

let environment: MetricsEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

const minuteMs = 60_000
/** Whole minutes: steps are aligned to the clock. */
const fromMs = Math.floor(Date.now() / minuteMs) * minuteMs - 60 * minuteMs
const iso = (ms: number) => new Date(ms).toISOString()

/** Agents with these values of a metric in each of two minutes. */
async function agentsWith(
  technology: string,
  metric: string,
  values: readonly (readonly [first: number, second: number])[],
): Promise<string[]> {
  const prefix = uniqueName('sum')
  const apIds = values.map((_, n) => `${prefix}-${String(n).padStart(3, '0')}`)
  for (const [n, apId] of apIds.entries()) {
    const configuration = { technology, telemetry_interval_s: 10 }
    await environment.post('/api/v1/agents/', { ap_id: apId, password: 'p', configuration })
    const [first = 0, second = 0] = values[n] ?? []
    await environment.store.write(apId, [
      { at: fromMs + 1000, metrics: { [metric]: first - 1 } },
      { at: fromMs + 31_000, metrics: { [metric]: first + 1 } },
      { at: fromMs + minuteMs, metrics: { [metric]: second } },
    ])
  }
  return apIds
}

const read = (path: string, query: Record<string, string | string[]>, token = environment.adminToken) => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const each of typeof value === 'string' ? [value] : value) search.append(name, each)
  return call(environment.url, 'GET', `/api/v1/telemetry/${path}?${search.toString()}`, { token })
}

const twoMinutes = { from: iso(fromMs), to: iso(fromMs + 2 * minuteMs - 1), step: '60' }

describe('the summary of a technology', () => {
  it('has the percentiles over its agents in each step, and the spread of their means', async () => {
    const metric = uniqueName('percentiles').replaceAll('-', '_')
    const values = Array.from({ length: 11 }, (_, n) => [n * 10, 100] as const)
    await agentsWith('LiFi', metric, values)
    await agentsWith('5G', metric, [[999, 999]])
    const { status, body } = await read('summary', { technology: 'LiFi', metrics: metric, ...twoMinutes })
    expect(status).toBe(200)
    expect(body).toMatchObject({ from: twoMinutes.from, to: twoMinutes.to, step_s: 60 })
    expect(body.read).toBe(body.agents)
    expect(body.series).toHaveLength(1)
    expect(body.series[0].points).toEqual([
      { ts: iso(fromMs), p10: 10, p50: 50, p90: 90 },
      { ts: iso(fromMs + minuteMs), p10: 100, p50: 100, p90: 100 },
    ])
    const { spread } = body.series[0]
    expect(spread.agents).toBe(11)
    // Of three samples: two in the first minute, one in the second.
    expect(spread.p50).toBeCloseTo((2 * 50 + 100) / 3)
    expect(spread.min).toBeCloseTo(100 / 3)
    expect(spread.max).toBeCloseTo(100)
  })

  it('is one of more agents than fit in a filter of the metrics store', async () => {
    const metric = uniqueName('many').replaceAll('-', '_')
    await agentsWith(
      'WiFi',
      metric,
      Array.from({ length: 205 }, (_, n) => [n, n] as const),
    )
    const { body } = await read('summary', { technology: 'WiFi', metrics: metric, ...twoMinutes })
    expect(body.series[0].spread).toMatchObject({ agents: 205, min: 0, max: 204 })
    expect(body.series[0].points[0].p50).toBe(102)
  }, 240_000)

  it('has an entry for each metric in the order of the request, without values as well', async () => {
    const { body } = await read('summary', {
      technology: 'other',
      metrics: ['no_such_metric', 'nor_this'],
      ...twoMinutes,
    })
    expect(body.series).toEqual([
      { metric: 'no_such_metric', points: [], spread: null },
      { metric: 'nor_this', points: [], spread: null },
    ])
  })

  it('of an app is over the agents that its permissions cover', async () => {
    const metric = uniqueName('scope').replaceAll('-', '_')
    const [seen = '', hidden = ''] = await agentsWith('5G', metric, [
      [10, 10],
      [90, 90],
    ])
    const token = await environment.createApp(uniqueName('summary-app'), {
      scopes: ['metrics:read', 'history:read'],
      agents: [seen],
    })
    const { body } = await read('summary', { technology: '5G', metrics: metric, ...twoMinutes }, token)
    expect(body.agents).toBe(1)
    expect(body.series[0].spread).toMatchObject({ agents: 1, min: 10, max: 10 })
    const named = { agent: [seen, hidden], metrics: metric, ...twoMinutes }
    expect((await read('summary', named, token)).status).toBe(403)
    expect((await read('summary', { ...named, agent: seen }, token)).body.series[0].spread.max).toBe(10)
    expect((await read('summary', named)).body.series[0].spread).toMatchObject({
      agents: 2,
      min: 10,
      max: 90,
    })
  })

  it('leaves the slot of the metrics store to others when its caller has disconnected', async () => {
    const metric = uniqueName('left').replaceAll('-', '_')
    await agentsWith('LiFi', metric, [[1, 1]])
    const proxy = new StoreProxy(inject('engines').victoria)
    const replica = await startReplica({
      ...environment.variables,
      MANC_VICTORIA_URL: await proxy.start(),
      MANC_PROMETHEUS_QUERIES: '1',
    })
    const ask = (metrics: string[], signal?: AbortSignal) => {
      const query = new URLSearchParams({ technology: 'LiFi', ...twoMinutes })
      for (const each of metrics) query.append('metrics', each)
      const headers = { authorization: `Bearer ${environment.adminToken}` }
      return fetch(`${replica.url}/api/v1/telemetry/summary?${query.toString()}`, {
        headers,
        ...(signal && { signal }),
      })
    }
    try {
      const left = new AbortController()
      proxy.isSilent = true
      const first = ask([metric, 'second'], left.signal).then(
        () => 'answered',
        () => 'disconnected',
      )
      await expect.poll(() => proxy.requests.filter((path) => path.endsWith('/query_range'))).toHaveLength(1)
      left.abort()
      proxy.isSilent = false
      expect(await first).toBe('disconnected')
      // Within the 10 s that a query waits for a slot: the store would have been asked for 20 s.
      expect((await ask([metric])).status).toBe(200)
    } finally {
      await replica.stop()
      proxy.stop()
    }
  })

  it('of an app without the scope for history is refused', async () => {
    const token = await environment.createApp(uniqueName('no-history'), { scopes: ['metrics:read'] })
    const { status } = await read('summary', { technology: '5G', metrics: 'clients', ...twoMinutes }, token)
    expect(status).toBe(403)
  })

  it.each([
    [{ step: '1', from: iso(fromMs - 60 * minuteMs) }, 'more than 1000 steps'],
    [{ to: iso(fromMs) }, 'at least 1 s after from'],
    [{ from: '2001-01-01T00:00:00Z' }, 'longer than samples are kept'],
    [{ agent: 'a' }, 'either technology or agent'],
  ])('with %o is refused', async (wrong, message) => {
    const query = { technology: 'WiFi', metrics: 'clients', ...twoMinutes, ...wrong }
    const { status, body } = await read('summary', query)
    expect(status).toBe(422)
    expect(body.detail[0].msg).toContain(message)
  })
})

describe('the series of a period', () => {
  it('have the samples of the period only', async () => {
    const agent = uniqueName('period')
    await environment.store.write(
      agent,
      [-1, 0, 1000, 60_000].map((ms) => ({ at: fromMs + ms, metrics: { clients: ms / 1000, load: 1 } })),
    )
    const { status, body } = await read('series', {
      agent,
      metrics: ['clients', 'nothing'],
      from: iso(fromMs),
      to: iso(fromMs + 30_000),
    })
    expect([status, body]).toEqual([
      200,
      {
        agent_id: agent,
        from: iso(fromMs),
        to: iso(fromMs + 30_000),
        series: [
          {
            metric: 'clients',
            points: [
              { ts: iso(fromMs), value: 0 },
              { ts: iso(fromMs + 1000), value: 1 },
            ],
          },
          { metric: 'nothing', points: [] },
        ],
      },
    ])
  })

  it('of an unknown agent are not found', async () => {
    const query = { agent: uniqueName('unknown'), metrics: 'clients', from: iso(fromMs) }
    expect((await read('series', query)).status).toBe(404)
  })

  it('of an agent with an id that was used before are those since it exists', async () => {
    const agent = uniqueName('reused')
    await environment.store.write(agent, [{ at: fromMs, metrics: { clients: 1 } }])
    const token = await environment.createAgent(agent)
    const { body } = await read('series', { agent, metrics: 'clients', from: iso(fromMs - 1000) }, token)
    expect(body.series).toEqual([{ metric: 'clients', points: [] }])
  })
})
