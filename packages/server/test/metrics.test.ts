import { uniqueName } from '@manc/harness'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MetricsScene, type Read, run } from './metrics-scene.ts'

let scene: MetricsScene

beforeAll(async () => {
  scene = await MetricsScene.open()
})
afterAll(() => scene?.close())

describe('all metrics of an agent (27)', () => {
  it('come in the order of their names, with their key, exact values and times', async () => {
    const agent = uniqueName('all')
    const at = Date.now() - 60_000
    await scene.store.write(agent, [
      { at, metrics: { rssi_dbm: -61.5, clients: 3, tiny: 1e-9, negative: -0.1, large: 123_456_789.25 } },
      { at: at + 1001, metrics: { clients: 4 } },
    ])
    const { status, headers, body } = await scene.get(`agent_data?agent=${agent}`)
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
    await scene.store.write(`${run}-many`, [{ at: Date.now(), metrics }])
    const { series } = await scene.all(`${run}-many`)
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

  beforeAll(() => scene.store.write(agent, [{ at, metrics: { clients: 3, load: 0.5, unasked: 1 } }]))

  it.each([
    ['repeated', 'metrics=load&metrics=clients', [load, clients]],
    ['as one text', 'metrics=clients,load', [clients, load]],
    ['both ways', 'metrics=load,nothing&metrics=clients', [load, nothing, clients]],
    ['twice, which counts once', 'metrics=clients,load,clients&metrics=load', [clients, load]],
    ['with spaces and empty names', 'metrics=%20load%20,%20,clients,', [load, clients]],
    ['that do not exist', 'metrics=nothing', [nothing]],
    ['none at all', 'metrics=', []],
  ])('asked for %s come in that order, one entry each', async (_, metrics, series) => {
    const { status, body } = await scene.get(`agent_multi_metric_data?agent=${agent}&${metrics}`)
    expect([status, body]).toEqual([200, { agent_id: agent, window_minutes: 5, series }])
  })

  it('are read with one query', async () => {
    const unread = uniqueName('unread')
    await scene.store.write(unread, [{ at, metrics: { clients: 3, load: 0.5 } }])
    const before = scene.storeProxy.readsOf(unread)
    await scene.get(`agent_multi_metric_data?agent=${unread}&metrics=clients,load,nothing&window=7`)
    expect(scene.storeProxy.readsOf(unread) - before).toBe(1)
  })

  it('have no points where the store has what is no finite number', async () => {
    const odd = uniqueName('odd-values')
    await scene.store.loadText(odd, 'mixed', [
      [at, 1],
      [at + 1000, 'NaN'],
      [at + 2000, '+Inf'],
      [at + 3000, '-Inf'],
      [at + 4000, 2],
    ])
    await scene.store.loadText(odd, 'none', [[at, '-Inf']])
    const { series } = await scene.chosen(odd, ['mixed', 'none'])
    expect(series.map(({ points }) => points.map(({ value }) => value))).toEqual([[1, 2], []])
  })
})

describe('the metrics that an agent has (29)', () => {
  it('are those of the window, with labels for people', async () => {
    const agent = `${run}-names`
    const now = Date.now()
    await scene.store.write(agent, [
      { at: now - 7_200_000, metrics: { old_metric: 1, clients: 1 } },
      { at: now - 1000, metrics: { throughput_mbps: 1, illuminance_lux: 1, clients: 1, fanSpeed: 1 } },
    ])
    const recent = await scene.names(agent)
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
    const all = await scene.names(agent, '3h')
    expect(all.metrics.map(({ name }) => name)).toContain('old_metric')
  })
})

describe('a window', () => {
  let agent: string
  const agesS = [20, 45, 250, 400, 3000, 5000, 90_000, 2_000_000]

  // Each time anew: within 10 s they grow too old for the smallest of the windows.
  beforeEach(() => {
    agent = uniqueName('window')
    const now = Date.now()
    return scene.store.write(
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
  ])('of %s is %d minutes and reaches so far back', async (window, minutes, oldest) => {
    const query = `?agent=${agent}&metrics=age${window === undefined ? '' : `&window=${window}`}`
    const { body } = await scene.get(`agent_multi_metric_data${query}`)
    expect(body.window_minutes).toBe(minutes)
    const ages = (body as Read).series[0]?.points.map(({ value }) => value)
    expect(ages).toEqual(agesS.filter((age) => age <= oldest).toReversed())
  })

  it('also shows an agent whose clock is a little ahead', async () => {
    const ahead = uniqueName('ahead')
    await scene.store.write(ahead, [{ at: Date.now() + 20_000, metrics: { clients: 1 } }])
    expect((await scene.chosen(ahead, ['clients'])).series[0]?.points).toHaveLength(1)
  })
})

describe('names are quoted', () => {
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

  it('so that a metric of any name is read, and no other', async () => {
    const agent = uniqueName('odd')
    const at = Date.now() - 1000
    for (const [n, name] of names.entries()) await scene.store.load(agent, name, at, n)
    const { series } = await scene.chosen(agent, names)
    expect(series).toEqual(
      names.map((metric, value) => ({ metric, points: [{ ts: new Date(at).toISOString(), value }] })),
    )
    const listed = await scene.names(agent)
    expect(listed.metrics.map(({ name }) => name)).toEqual(names.toSorted())
  })

  it('so that a metric never becomes a query', async () => {
    const [agent, other] = [uniqueName('mine'), uniqueName('theirs')]
    await scene.store.write(agent, [{ at: Date.now() - 1000, metrics: { clients: 1 } }])
    await scene.store.write(other, [{ at: Date.now() - 1000, metrics: { secret: 42 } }])
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
      const { status, body } = await scene.get(`agent_multi_metric_data?${query.toString()}`)
      const { series } = body as Read
      expect(status).toBe(200)
      const isName = attack.trim() === 'clients'
      for (const { points } of series) expect(points).toHaveLength(isName ? 1 : 0)
    }
  })

  it('and an agent that cannot exist is not found without asking the store', async () => {
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
    const before = scene.storeProxy.requests.length
    for (const agent of ids)
      for (const path of ['agent_data', 'agent_multi_metric_data', 'agent_metrics']) {
        const { status, body } = await scene.get(
          `${path}?${new URLSearchParams({ agent, metrics: 'clients' }).toString()}`,
        )
        expect([agent, status, body]).toEqual([agent, 404, { detail: 'Agent not found' }])
      }
    expect(scene.storeProxy.requests.length).toBe(before)
  })
})
