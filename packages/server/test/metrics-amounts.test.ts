import { setTimeout as sleep } from 'node:timers/promises'
import { call, startReplica, uniqueName } from '@manc/harness'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MetricsScene } from './metrics-scene.ts'

let scene: MetricsScene

beforeAll(async () => {
  scene = await MetricsScene.open()
})
afterAll(() => scene?.close())

describe('more points than a chart can show', () => {
  it('are averaged by the store: at most 2,000 that span the window, while fewer stay raw', async () => {
    const agent = uniqueName('dense')
    const now = Date.now()
    await scene.store.write(agent, everyMs(now, 100, 6000, 'dense'))
    await scene.store.write(agent, everyMs(now, 200, 2000, 'just'))
    await scene.store.write(agent, everyMs(now, 10_000, 20, 'few'))
    const { series } = await scene.chosen(agent, ['few', 'dense', 'just'], '10')
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

  it('are averaged also where they are far too many to be read, of all metrics too', async () => {
    const agent = uniqueName('huge')
    const now = Date.now()
    for (let part = 0; part < 8; part++)
      await scene.store.write(agent, everyMs(now - part * 2_500_000, 50, 50_000, 'huge'))
    await scene.store.write(agent, everyMs(now, 60_000, 100, 'few'))
    const ofTwo = await scene.chosen(agent, ['huge', 'few'], '6h')
    const all = await scene.all(agent, '6h')
    for (const series of [ofTwo.series, all.series.toReversed()]) {
      expect(series.map(({ metric }) => metric)).toEqual(['huge', 'few'])
      const [huge, few] = series.map(({ points }) => points.length)
      expect(few).toBe(100)
      expect(huge).toBeLessThanOrEqual(2000)
      expect(huge).toBeGreaterThan(1800)
    }
  })

  it('cost a chart that asks again no more than one read', async () => {
    const agent = uniqueName('again')
    await scene.store.write(agent, everyMs(Date.now(), 100, 4000, 'dense'))
    await scene.chosen(agent, ['dense'], '9')
    await sleep(1100)
    const before = scene.storeProxy.readsOf(agent)
    expect((await scene.chosen(agent, ['dense'], '9')).series[0]?.points.length).toBeGreaterThan(1000)
    expect(scene.storeProxy.readsOf(agent) - before).toBe(1)
  })

  it('leave room for many series: a reply has at most 200,000 points', async () => {
    const agent = uniqueName('broad')
    const now = Date.now()
    const metrics = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`n${n}`, n]))
    const samples = Array.from({ length: 900 }, (_, n) => ({ at: now - n * 300, metrics }))
    for (let n = 0; n < samples.length; n += 100) await scene.store.write(agent, samples.slice(n, n + 100))
    const { series } = await scene.all(agent)
    const lengths = series.map(({ points }) => points.length)
    expect(lengths).toHaveLength(400)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(500)
    expect(Math.min(...lengths)).toBeGreaterThan(350)
  })
})

describe('charts that ask the same', () => {
  const ask = (agent: string) => scene.chosen(agent, ['clients', 'load'])

  it('at the same time share one read', async () => {
    const agent = uniqueName('shared')
    await scene.store.write(agent, [{ at: Date.now() - 1000, metrics: { clients: 1, load: 2 } }])
    const before = scene.storeProxy.readsOf(agent)
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(agent)))
    expect(scene.storeProxy.readsOf(agent) - before).toBe(1)
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  it('again and again cause one read a second, and see what is new within that second', async () => {
    const agent = uniqueName('polled')
    const at = Date.now() - 1000
    await scene.store.write(agent, [{ at, metrics: { clients: 1, load: 2 } }])
    const startedAt = Date.now()
    const before = scene.storeProxy.readsOf(agent)
    let count = 0
    while (Date.now() - startedAt < 3000 || count <= 50) {
      await Promise.all([ask(agent), ask(agent), ask(agent)])
      count += 3
      await sleep(20)
    }
    const seconds = Math.floor((Date.now() - startedAt) / 1000)
    expect(scene.storeProxy.readsOf(agent) - before).toBeLessThanOrEqual(seconds + 1)
    await scene.store.write(agent, [{ at: at + 500, metrics: { clients: 5, load: 2 } }])
    await sleep(1000)
    expect((await ask(agent)).series[0]?.points.map(({ value }) => value)).toEqual([1, 5])
  })
})

describe('while the metrics store', () => {
  const paths = ['agent_data?agent=a', 'agent_multi_metric_data?agent=a&metrics=m', 'agent_metrics?agent=a']

  it('is down, readers are told within 2 s to come back, and everything else works', async () => {
    const replica = await startReplica({
      ...scene.environment.variables,
      MANC_VICTORIA_URL: 'http://127.0.0.1:9',
    })
    try {
      for (const path of paths) await isUnavailable(replica.url, path)
      const { status } = await call(replica.url, 'GET', '/api/v1/metrics/agent_details?limit=1', {
        token: scene.adminToken,
      })
      expect(status).toBe(200)
    } finally {
      await replica.stop()
    }
  })

  it('does not answer, likewise, and reads are right as soon as it does', async () => {
    scene.storeProxy.isSilent = true
    try {
      await Promise.all(paths.map((path) => isUnavailable(scene.url, path)))
    } finally {
      scene.storeProxy.isSilent = false
    }
    expect((await scene.get('agent_data?agent=a')).status).toBe(404)
  })

  async function isUnavailable(url: string, path: string): Promise<void> {
    let bestMs = Infinity
    // The best of a few: the machine is shared, and how long others hold its processors is not ours to say.
    for (let round = 0; round < 3 && bestMs >= 2000; round++) {
      const startedAt = Date.now()
      const answer = await call(url, 'GET', `/api/v1/metrics/${path}`, { token: scene.adminToken })
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
