import { text as textOf } from 'node:stream/consumers'
import { startReplica, uniqueName } from '@manc/harness'
import { StoreProxy } from '@manc/harness/metrics-store'
import { describe, expect } from 'vitest'
import { VictoriaHttp } from '../../src/engines/victoria.http.ts'
import {
  base,
  both,
  hidden,
  test as it,
  largeQuery,
  metrics,
  type PrometheusEnvironment,
  pattern,
  seen,
  storedAtS,
} from './environment.ts'

let environment: PrometheusEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

const at = { time: String(storedAtS) }
const admin = () => environment.adminToken

describe('a query', () => {
  it('has the result of the store, for a user of all agents and for an app of its own', async () => {
    const query = metrics.clients
    const series = (apId: string, value: number) => ({
      metric: { __name__: metrics.clients, ap_id: apId },
      value: [storedAtS, String(value)],
    })
    const ofUser = await environment.data('query', { query, ...at }, admin())
    expect(ofUser.resultType).toBe('vector')
    expect(ofUser.result).toHaveLength(2)
    expect(ofUser.result).toEqual(
      expect.arrayContaining([series(seen.apId, seen.clients), series(hidden.apId, hidden.clients)]),
    )
    const ofApp = await environment.data('query', { query, ...at })
    expect(ofApp).toEqual({ resultType: 'vector', result: [series(seen.apId, seen.clients)] })
  })

  it('is compressed for a client that accepts it, and so is an error of the store', async () => {
    const range = {
      query: metrics.clients,
      start: String(storedAtS - 300),
      end: String(storedAtS),
      step: '1',
    }
    const get = (query: string, encoding: string) =>
      fetch(`${environment.url}${base}/query_range?${new URLSearchParams({ ...range, query }).toString()}`, {
        headers: { authorization: `Bearer ${environment.appToken}`, 'accept-encoding': encoding },
      })
    const compressed = await get(metrics.clients, 'gzip')
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    const plain = await get(metrics.clients, 'identity')
    expect(plain.headers.get('content-encoding')).toBeNull()
    const { data } = (await compressed.json()) as { data: object }
    expect(data).toEqual(((await plain.json()) as { data: object }).data)

    const refused = await get('sum(', 'gzip')
    expect([refused.status, await refused.text()]).toEqual([
      422,
      await (await get('sum(', 'identity')).text(),
    ])
  })

  it('over a period has a value for each step, also as a form and with times in RFC 3339', async () => {
    const [start, end] = [storedAtS - 120, storedAtS]
    const values = [start, start + 60, end].map((time) => [time, String(seen.clients)])
    const expected = [{ metric: { __name__: metrics.clients, ap_id: seen.apId }, values }]
    const numbers = { query: metrics.clients, start: String(start), end: String(end), step: '60' }
    expect((await environment.data('query_range', numbers)).result).toEqual(expected)
    const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
    const form = new URLSearchParams({
      ...numbers,
      start: iso(start),
      end: iso(end),
      step: '1m',
      timeout: '5s',
    })
    const { status, text } = await environment.send('POST', `${base}/query_range`, { form: form.toString() })
    expect([status, JSON.parse(text).data.result]).toEqual([200, expected])
  })

  it('without a series has an empty result, and one without selectors its value', async () => {
    expect((await environment.data('query', { query: 'no_such_metric' })).result).toEqual([])
    expect((await environment.data('query', { query: '1+1', ...at })).result[0].value).toEqual([
      storedAtS,
      '2',
    ])
  })

  it.each([
    ['a syntax error', 'query', { query: 'sum(' }, 'execution'],
    ['no query', 'query', {}, 'bad_data'],
    ['a wrong time', 'query', { query: 'x', time: 'yesterday' }, 'bad_data'],
    ['a time in milliseconds', 'query', { query: 'x', time: '1700000000000' }, 'bad_data'],
    ['a wrong timeout', 'query', { query: 'x', timeout: '-1' }, 'bad_data'],
    ['no step', 'query_range', { query: 'x', start: '1', end: '2' }, 'bad_data'],
    ['a step of 0', 'query_range', { query: 'x', start: '1', end: '2', step: '0' }, 'bad_data'],
    ['an end before the start', 'query_range', { query: 'x', start: '2', end: '1', step: '1' }, 'bad_data'],
    ['too many steps', 'query_range', { query: 'x', start: '1', end: '11003', step: '1' }, 'bad_data'],
    [
      'a period beyond retention',
      'query_range',
      { query: 'x', start: '1', end: '1700000000', step: '1w' },
      'bad_data',
    ],
    ['a query that is too long', 'query', { query: 'x'.repeat(8193) }, 'bad_data'],
    ['no selector', 'series', {}, 'bad_data'],
    ['a wrong selector', 'series', { 'match[]': '{' }, 'execution'],
  ])(
    'with %s is refused in the form of Prometheus and of this API',
    async (_, path, parameters, errorType) => {
      const query = new URLSearchParams(parameters as Record<string, string>).toString()
      const { status, text } = await environment.send('GET', `${base}/${path}?${query}`)
      expect([status, JSON.parse(text)]).toEqual([
        422,
        { status: 'error', errorType, error: expect.any(String), detail: [expect.any(Object)] },
      ])
      // Neither the address of the store nor the filter of the caller.
      expect(text).not.toMatch(/127\.0\.0\.1|localhost|http:|extra_filters/)
    },
  )
})

describe('lists', () => {
  const match = `{ap_id=~"${both}"}`

  it('of series, labels and values have what the caller may see', async () => {
    expect(await environment.data('series', { 'match[]': match })).toEqual([
      { __name__: metrics.clients, ap_id: seen.apId },
      { __name__: metrics.rssi, ap_id: seen.apId },
    ])
    expect(await environment.data('labels', {})).toEqual(['__name__', 'ap_id'])
    expect(await environment.data('label/ap_id/values', {})).toEqual([seen.apId])
    expect(await environment.data('label/__name__/values', {})).toEqual([metrics.clients, metrics.rssi])
    expect(await environment.data('label/ap_id/values', { 'match[]': match }, admin())).toEqual(
      [seen.apId, hidden.apId].toSorted(),
    )
  })

  it('accept any period, and a limit', async () => {
    const all = { start: '-9223309901257974', end: '9223309901257974' }
    expect(await environment.data('label/ap_id/values', all)).toEqual([seen.apId])
    expect(await environment.data('label/__name__/values', { limit: '1' })).toHaveLength(1)
    expect(await environment.data('series', { 'match[]': match, limit: '1' })).toHaveLength(1)
  })

  it('have a version and empty metadata', async () => {
    expect(await environment.data('status/buildinfo', {})).toEqual({ version: '2.24.0' })
    expect(await environment.data('metadata', {})).toEqual({})
  })
})

describe('an app', () => {
  const query = { query: `count({ap_id=~"${both}"})`, ...at }
  const countFor = async (permissions: object) => {
    const token = await environment.createApp({ name: uniqueName('app'), key: 'k' }, permissions)
    const { status, text } = await environment.send(
      'GET',
      `${base}/query?${new URLSearchParams(query).toString()}`,
      { authorization: `Bearer ${token}` },
    )
    return status === 200 ? (JSON.parse(text).data.result[0]?.value[1] ?? 'none') : status
  }
  const scopes = ['metrics:read', 'history:read']

  it('sees the agents of its patterns, which are no regular expressions', async () => {
    expect(await countFor({ scopes })).toBe('4')
    expect(await countFor({ scopes, agents: ['*'] })).toBe('4')
    expect(await countFor({ scopes, agents: [pattern, hidden.apId] })).toBe('4')
    expect(await countFor({ scopes, agents: [hidden.apId] })).toBe('2')
    expect(await countFor({ scopes, agents: [seen.apId.slice(0, -1)] })).toBe('none')
    expect(await countFor({ scopes, agents: ['*5g*'] })).toBe('2')
    expect(
      await countFor({ scopes, agents: ['.+', '.*|', '|', '(?i)', '[^x]+', '"} or {x!="', '\\'] }),
    ).not.toBe('4')
    expect(await countFor({ scopes, agents: [both, '.+', 'x|.+', '"} or {ap_id!="', '\\'] })).toBe('none')
  })

  it('without agents or without one of the scopes gets 403', async () => {
    expect(await countFor({ scopes, agents: [] })).toBe(403)
    expect(await countFor({ scopes, agents: [''] })).toBe(403)
    expect(await countFor({ scopes: ['metrics:read'] })).toBe(403)
    expect(await countFor({ scopes: ['history:read'] })).toBe(403)
    expect(await countFor({ scopes: ['history:read'], query: true, series: true })).toBe(403)
    expect(await countFor({ scopes, getAgentData: false })).toBe(403)
    expect(await countFor({ scopes, prometheusQuery: false })).toBe(403)
    const many = Array.from({ length: 3000 }, (_, n) => `agent-${n}`)
    expect(await countFor({ scopes, agents: many })).toBe(403)
  })
})

describe('a store', () => {
  it('that does not answer is 503 in the form of Prometheus, soon', async () => {
    const proxy = new StoreProxy(environment.engines.victoria)
    proxy.isSilent = true
    const replica = await startReplica({ ...environment.variables, MANC_VICTORIA_URL: await proxy.start() })
    try {
      const started = performance.now()
      const response = await fetch(`${replica.url}${base}/query?query=1`, {
        headers: { authorization: `Bearer ${admin()}` },
      })
      expect([response.status, await response.json()]).toEqual([
        503,
        {
          status: 'error',
          errorType: 'unavailable',
          error: 'The metrics store is unavailable. Try again shortly.',
          detail: 'The metrics store is unavailable. Try again shortly.',
        },
      ])
      // The time for a whole response is 30 s.
      expect(performance.now() - started).toBeLessThan(15_000)
    } finally {
      await replica.stop()
      proxy.stop()
    }
  })

  it('with too large a response, or a caller that has left, ends the response', async () => {
    const victoria = new VictoriaHttp({ url: environment.engines.victoria })
    const [path, query] = largeQuery(1).slice('/api/v1/prometheus'.length).split('?')
    const open = (maxBytes: number, signal: AbortSignal) =>
      victoria.stream(path ?? '', new URLSearchParams(query), { timeoutMs: 30_000, maxBytes, signal })
    try {
      const caller = new AbortController()
      expect((await textOf(await open(1_000_000, caller.signal))).length).toBeGreaterThan(100_000)
      await expect(textOf(await open(100_000, caller.signal))).rejects.toThrow('larger than 100000 bytes')
      const body = await open(1_000_000, caller.signal)
      caller.abort()
      await expect(textOf(body)).rejects.toThrow('aborted')
    } finally {
      victoria.stop()
    }
  })
})
