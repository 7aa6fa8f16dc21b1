import { uniqueName } from '@manc/harness'
import { beforeAll, beforeEach, describe, expect } from 'vitest'
import { test as it, type MetricsEnvironment, type Readings, run } from './environment.ts'

let environment: MetricsEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

describe('all metrics of an agent (27)', () => {
  it('are ordered by name, with their key and exact values and times', async () => {
    const agent = uniqueName('all')
    const at = Date.now() - 60_000
    await environment.store.write(agent, [
      { at, metrics: { rssi_dbm: -61.5, clients: 3, tiny: 1e-9, negative: -0.1, large: 123_456_789.25 } },
      { at: at + 1001, metrics: { clients: 4 } },
    ])
    const { status, headers, body } = await environment.get(`agent_data?agent=${agent}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    const [ts, later] = [new Date(at).toISOString(), new Date(at + 1001).toISOString()]
    expect(body).toEqual({
      key: `agent/${agent}/data`,
      agent_id: agent,
      window_minutes: 5,
      series: [
        {
          metric: 'clients',
          points: [
            { ts, value: 3 },
            { ts: later, value: 4 },
          ],
        },
        { metric: 'large', points: [{ ts, value: 123_456_789.25 }] },
        { metric: 'negative', points: [{ ts, value: -0.1 }] },
        { metric: 'rssi_dbm', points: [{ ts, value: -61.5 }] },
        { metric: 'tiny', points: [{ ts, value: 1e-9 }] },
      ],
    })
  })

  it('are at most 1,000 series', async () => {
    const names = Array.from({ length: 1100 }, (_, n) => `n${String(n).padStart(4, '0')}`)
    const metrics = Object.fromEntries(names.map((name) => [name, 1]))
    await environment.store.write(`${run}-many`, [{ at: Date.now(), metrics }])
    const { series } = await environment.allMetrics(`${run}-many`)
    expect(series.map(({ metric }) => metric)).toEqual(names.slice(0, 1000))
  })
})

describe('chosen metrics (28)', () => {
  const agent = `${run}-chosen`
  const at = Date.now() - 30_000
  const ts = new Date(at).toISOString()
  const clients = { metric: 'clients', points: [{ ts, value: 3 }] }
  const load = { metric: 'load', points: [{ ts, value: 0.5 }] }
  const nothing = { metric: 'nothing', points: [] }

  beforeAll(() => environment.store.write(agent, [{ at, metrics: { clients: 3, load: 0.5, unasked: 1 } }]))

  it.each([
    ['repeated', 'metrics=load&metrics=clients', [load, clients]],
    ['as one text', 'metrics=clients,load', [clients, load]],
    ['both ways', 'metrics=load,nothing&metrics=clients', [load, nothing, clients]],
    ['twice, which counts once', 'metrics=clients,load,clients&metrics=load', [clients, load]],
    ['with spaces and empty names', 'metrics=%20load%20,%20,clients,', [load, clients]],
    ['that do not exist', 'metrics=nothing', [nothing]],
    ['none at all', 'metrics=', []],
  ])('requested %s are returned in that order, one entry each', async (_, metrics, series) => {
    const { status, body } = await environment.get(`agent_multi_metric_data?agent=${agent}&${metrics}`)
    expect([status, body]).toEqual([200, { agent_id: agent, window_minutes: 5, series }])
  })

  it('are read with one query', async () => {
    const unread = uniqueName('unread')
    await environment.store.write(unread, [{ at, metrics: { clients: 3, load: 0.5 } }])
    const before = environment.storeProxy.readsOf(unread)
    await environment.get(`agent_multi_metric_data?agent=${unread}&metrics=clients,load,nothing&window=7`)
    expect(environment.storeProxy.readsOf(unread) - before).toBe(1)
  })

  it('have no points for values that are not finite', async () => {
    const odd = uniqueName('odd-values')
    await environment.store.loadText(odd, 'mixed', [
      [at, 1],
      [at + 1000, 'NaN'],
      [at + 2000, '+Inf'],
      [at + 3000, '-Inf'],
      [at + 4000, 2],
    ])
    await environment.store.loadText(odd, 'none', [[at, '-Inf']])
    const { series } = await environment.chosenMetrics(odd, ['mixed', 'none'])
    expect(series.map(({ points }) => points.map(({ value }) => value))).toEqual([[1, 2], []])
  })
})

describe('the metric names of an agent (29)', () => {
  it('are those of the window, with labels', async () => {
    const agent = `${run}-names`
    const now = Date.now()
    await environment.store.write(agent, [
      { at: now - 7_200_000, metrics: { old_metric: 1, clients: 1 } },
      { at: now - 1000, metrics: { throughput_mbps: 1, illuminance_lux: 1, clients: 1, fanSpeed: 1 } },
    ])
    const recent = await environment.metricNames(agent)
    expect(recent).toEqual({
      agent_id: agent,
      window_minutes: 5,
      metrics: [
        { name: 'clients', label: 'Clients' },
        { name: 'fanSpeed', label: 'Fan speed' },
        { name: 'illuminance_lux', label: 'Illuminance (lx)' },
        { name: 'throughput_mbps', label: 'Throughput (Mbit/s)' },
      ],
    })
    const all = await environment.metricNames(agent, '3h')
    expect(all.metrics.map(({ name }) => name)).toContain('old_metric')
  })
})

describe('a window', () => {
  let agent: string
  const agesS = [20, 45, 250, 400, 3000, 5000, 90_000, 2_000_000]

  // Written again each time: after 10 s they are older than the smallest window.
  beforeEach(() => {
    agent = uniqueName('window')
    const now = Date.now()
    return environment.store.write(
      agent,
      agesS.map((age) => ({ at: now - age * 1000, metrics: { age } })),
    )
  })

  it.each([
    [undefined, 5, 250],
    ['5', 5, 250],
    ['%2010%20', 10, 400],
    ['%2B10', 10, 400],
    ['30s', 1, 20],
    ['61s', 2, 45],
    ['60m', 60, 3000],
    ['1h', 60, 3000],
    ['2d', 2880, 90_000],
    ['4w', 40_320, 2_000_000],
    ['44640', 44_640, 2_000_000],
    ['31d', 44_640, 2_000_000],
  ])('of %s is %d minutes and contains exactly the samples of that time', async (window, minutes, oldest) => {
    const query = `?agent=${agent}&metrics=age${window === undefined ? '' : `&window=${window}`}`
    const { body } = await environment.get(`agent_multi_metric_data${query}`)
    expect(body.window_minutes).toBe(minutes)
    const ages = (body as Readings).series[0]?.points.map(({ value }) => value)
    expect(ages).toEqual(agesS.filter((age) => age <= oldest).toReversed())
  })

  it('includes samples of an agent whose clock is slightly ahead', async () => {
    const ahead = uniqueName('ahead')
    await environment.store.write(ahead, [{ at: Date.now() + 20_000, metrics: { clients: 1 } }])
    expect((await environment.chosenMetrics(ahead, ['clients'])).series[0]?.points).toHaveLength(1)
  })
})

describe('quoting of names', () => {
  const names = [
    'with space',
    'q"uote',
    '"',
    'back\\slash',
    'ends\\',
    'br{ace}',
    '"}',
    '.*',
    "single'",
    '`tick`',
    'a=b',
    'größe 📶',
    'a/b:c.d-e',
    '__name__',
    'per%cent',
    '#',
  ]

  it('makes a metric with any name readable, and no other', async () => {
    const agent = uniqueName('odd')
    const at = Date.now() - 1000
    for (const [n, name] of names.entries()) await environment.store.load(agent, name, at, n)
    const { series } = await environment.chosenMetrics(agent, names)
    expect(series).toEqual(
      names.map((metric, value) => ({ metric, points: [{ ts: new Date(at).toISOString(), value }] })),
    )
    const listed = await environment.metricNames(agent)
    expect(listed.metrics.map(({ name }) => name)).toEqual(names.toSorted())
  })

  it('prevents a metric name from becoming a query', async () => {
    const [agent, other] = [uniqueName('mine'), uniqueName('theirs')]
    await environment.store.write(agent, [{ at: Date.now() - 1000, metrics: { clients: 1 } }])
    await environment.store.write(other, [{ at: Date.now() - 1000, metrics: { secret: 42 } }])
    const attacks = [
      '.*',
      '.+',
      'clients"} or {ap_id!="',
      `secret",ap_id="${other}"} or {__name__="x`,
      'clients\n',
      'cli\\u0065nts',
      '{ap_id!=""}',
      '"})or vector(1)#',
      '\0',
      'x'.repeat(2000),
    ]
    for (const attack of attacks) {
      const query = new URLSearchParams({ agent, metrics: attack })
      const { status, body } = await environment.get(`agent_multi_metric_data?${query.toString()}`)
      const { series } = body as Readings
      expect(status).toBe(200)
      const isName = attack.trim() === 'clients'
      for (const { points } of series) expect(points).toHaveLength(isName ? 1 : 0)
    }
  })

  it('rejects an impossible agent id without a query to the store', async () => {
    const ids = [
      '"}',
      '.*',
      'a\nb',
      'a"} or {ap_id!="',
      '',
      ' ',
      `${run}.*`,
      'x'.repeat(65),
      '../x',
      'ä',
      '\0',
    ]
    const before = environment.storeProxy.requests.length
    for (const agent of ids)
      for (const path of ['agent_data', 'agent_multi_metric_data', 'agent_metrics']) {
        const { status, body } = await environment.get(
          `${path}?${new URLSearchParams({ agent, metrics: 'clients' }).toString()}`,
        )
        expect([agent, status, body]).toEqual([agent, 404, { detail: 'Agent not found' }])
      }
    expect(environment.storeProxy.requests.length).toBe(before)
  })
})
