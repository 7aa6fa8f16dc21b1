import { setTimeout as sleep } from 'node:timers/promises'
import { call, startReplica, uniqueName } from '@manc/harness'
import { describe, expect } from 'vitest'
import { test as it, type MetricsEnvironment } from './environment.ts'

let environment: MetricsEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

describe('more points than a chart can show', () => {
  it('are averaged by the store to at most 2,000 over the window, while fewer stay raw', async () => {
    const agent = uniqueName('dense')
    const now = Date.now()
    await environment.store.write(agent, everyMs(now, 100, 6000, 'dense'))
    await environment.store.write(agent, everyMs(now, 200, 2000, 'just'))
    await environment.store.write(agent, everyMs(now, 10_000, 20, 'few'))
    const { series } = await environment.chosenMetrics(agent, ['few', 'dense', 'just'], '10')
    expect(series.map(({ metric }) => metric)).toEqual(['few', 'dense', 'just'])
    const [few, dense, just] = series.map(({ points }) => points)
    expect([few?.length, just?.length]).toEqual([20, 2000])
    expect(dense?.length).toBeGreaterThan(1500)
    expect(dense?.length).toBeLessThanOrEqual(2000)
    const times = (dense ?? []).map(({ ts }) => Date.parse(ts))
    expect(times[0]).toBeLessThan(now - 590_000)
    expect(times.at(-1)).toBeGreaterThan(now - 1000)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    // Values rise by one every 100 ms: the average of a step is that of its middle.
    const stepMs = (times[1] ?? 0) - (times[0] ?? 0)
    for (const { ts, value } of dense?.slice(1, -1) ?? [])
      expect(Math.abs(value - (6000 - (now - Date.parse(ts) - stepMs / 2) / 100))).toBeLessThan(2)
  })

  it('are averaged when they are too many to read, also for all metrics', async () => {
    const agent = uniqueName('huge')
    const now = Date.now()
    for (let part = 0; part < 8; part++)
      await environment.store.write(agent, everyMs(now - part * 2_500_000, 50, 50_000, 'huge'))
    await environment.store.write(agent, everyMs(now, 60_000, 100, 'few'))
    const ofTwo = await environment.chosenMetrics(agent, ['huge', 'few'], '6h')
    const all = await environment.allMetrics(agent, '6h')
    for (const series of [ofTwo.series, all.series.toReversed()]) {
      expect(series.map(({ metric }) => metric)).toEqual(['huge', 'few'])
      const [huge, few] = series.map(({ points }) => points.length)
      expect(few).toBe(100)
      expect(huge).toBeLessThanOrEqual(2000)
      expect(huge).toBeGreaterThan(1800)
    }
  })

  it('need only one read when a chart is refreshed', async () => {
    const agent = uniqueName('again')
    await environment.store.write(agent, everyMs(Date.now(), 100, 4000, 'dense'))
    await environment.chosenMetrics(agent, ['dense'], '9')
    await sleep(1100)
    const before = environment.storeProxy.readsOf(agent)
    expect((await environment.chosenMetrics(agent, ['dense'], '9')).series[0]?.points.length).toBeGreaterThan(
      1000,
    )
    expect(environment.storeProxy.readsOf(agent) - before).toBe(1)
  })

  it('are limited to 200,000 per response over all series', async () => {
    const agent = uniqueName('broad')
    const now = Date.now()
    const metrics = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`n${n}`, n]))
    const samples = Array.from({ length: 900 }, (_, n) => ({ at: now - n * 300, metrics }))
    for (let n = 0; n < samples.length; n += 100)
      await environment.store.write(agent, samples.slice(n, n + 100))
    const { series } = await environment.allMetrics(agent)
    const lengths = series.map(({ points }) => points.length)
    expect(lengths).toHaveLength(400)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(500)
    expect(Math.min(...lengths)).toBeGreaterThan(350)
  })
})

describe('identical chart requests', () => {
  const ask = (agent: string) => environment.chosenMetrics(agent, ['clients', 'load'])

  it('share one read when they are concurrent', async () => {
    const agent = uniqueName('shared')
    await environment.store.write(agent, [{ at: Date.now() - 1000, metrics: { clients: 1, load: 2 } }])
    const before = environment.storeProxy.readsOf(agent)
    const startedAt = Date.now()
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(agent)))
    // A result is shared for a second: on a busy machine fifty requests take longer.
    const seconds = Math.floor((Date.now() - startedAt) / 1000)
    expect(environment.storeProxy.readsOf(agent) - before).toBeLessThanOrEqual(1 + seconds)
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  it('cause one read per second when they are repeated, and see new points within that second', async () => {
    const agent = uniqueName('polled')
    const at = Date.now() - 1000
    await environment.store.write(agent, [{ at, metrics: { clients: 1, load: 2 } }])
    const startedAt = Date.now()
    const before = environment.storeProxy.readsOf(agent)
    let count = 0
    while (Date.now() - startedAt < 3000 || count <= 50) {
      await Promise.all([ask(agent), ask(agent), ask(agent)])
      count += 3
      await sleep(20)
    }
    const seconds = Math.floor((Date.now() - startedAt) / 1000)
    expect(environment.storeProxy.readsOf(agent) - before).toBeLessThanOrEqual(seconds + 1)
    await environment.store.write(agent, [{ at: at + 500, metrics: { clients: 5, load: 2 } }])
    await sleep(1000)
    expect((await ask(agent)).series[0]?.points.map(({ value }) => value)).toEqual([1, 5])
  })
})

describe('while the metrics store', () => {
  const paths = ['agent_data?agent=a', 'agent_multi_metric_data?agent=a&metrics=m', 'agent_metrics?agent=a']

  it('is down, readers get 503 within 2 s, and everything else works', async () => {
    const replica = await startReplica({
      ...environment.variables,
      MANC_VICTORIA_URL: 'http://127.0.0.1:9',
    })
    try {
      for (const path of paths) await isUnavailable(replica.url, path)
      const { status } = await call(replica.url, 'GET', '/api/v1/metrics/agent_details?limit=1', {
        token: environment.adminToken,
      })
      expect(status).toBe(200)
    } finally {
      await replica.stop()
    }
  })

  it('does not respond, readers get 503 within 2 s, and correct results as soon as it does', async () => {
    environment.storeProxy.isSilent = true
    try {
      await Promise.all(paths.map((path) => isUnavailable(environment.url, path)))
    } finally {
      environment.storeProxy.isSilent = false
    }
    expect((await environment.get('agent_data?agent=a')).status).toBe(404)
  })

  async function isUnavailable(url: string, path: string): Promise<void> {
    let bestMs = Infinity
    // The best of a few: the machine is shared, and how long others hold its processors is not ours to say.
    for (let round = 0; round < 3 && bestMs >= 2000; round++) {
      const startedAt = Date.now()
      const answer = await call(url, 'GET', `/api/v1/metrics/${path}`, { token: environment.adminToken })
      const { status, body, headers } = answer
      const detail = 'The metrics store is unavailable. Try again shortly.'
      expect([status, body, headers.get('retry-after')]).toEqual([503, { detail }, '1'])
      bestMs = Math.min(bestMs, Date.now() - startedAt)
    }
    expect(bestMs).toBeLessThan(2000)
  }
})

function everyMs(now: number, stepMs: number, count: number, name: string) {
  return Array.from({ length: count }, (_, n) => ({
    at: now - (count - 1 - n) * stepMs,
    metrics: { [name]: n },
  }))
}
