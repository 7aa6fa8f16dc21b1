import type { Client, Decision } from '@manc/sdk'
import { describe, expect, it } from 'vitest'
import type { PolicyFile } from '../policy-file.ts'
import type { Proposal } from '../view.types.ts'
import { Area } from './area.ts'
import { HourlyBudget } from './hourly-budget.ts'
import type { AccessPoint, Telemetry } from './network.ts'
import { hasGotWorse, measuredText, outcomeOf, outcomeText } from './outcomes.ts'
import { plansOf } from './plans.ts'
import { revertOf } from './reverts.ts'
import { Tracker } from './tracker.ts'

const policy: PolicyFile = {
  name: 'best-experience',
  about: '',
  objective: 'throughput',
  fairness: 2,
  preference: { '5G': 1, WiFi: 1, LiFi: 1 },
  outage_aversion: 1,
  anticipate_blockages: false,
  sleep: false,
}
const time = '2026-01-01T12:00:00.000Z'

const accessPoint = (id: string, metres = 0): AccessPoint => ({
  ap_id: id,
  name: null,
  technology: 'WiFi',
  state: 'online',
  since: time,
  last_seen: null,
  position: { latitude: 51.45 + metres / 111_320, longitude: -2.6 },
  telemetry_interval_s: 1,
  health: 'good',
  health_since: time,
  reason: null,
  reasons: [],
})

/** Samples by access point. */
const telemetry = (values: Record<string, Record<string, number>>): Telemetry => ({
  sampleOf: (id) => {
    const known = values[id]
    return known && { receivedMs: Date.now(), time: new Date(time), values: known }
  },
  valueOf: (id, metric) => values[id]?.[metric],
})

const client = (number: number, apId: string, more: Partial<Client> = {}): Client => ({
  id: `client-${number}`,
  is_attached: true,
  ap_id: apId,
  technology: 'WiFi',
  since: time,
  from_ap_id: null,
  signal_dbm: -60,
  snr_db: null,
  rate_mbps: 50,
  ended: null,
  measurement: { at: time, throughput_mbps: 1, heard: { a: -60, b: -62 } },
  ...more,
})

/** Two access points with clients at the first. */
function areaOf(clients: number): { area: Area; network: Telemetry; all: Client[] } {
  const area = new Area([accessPoint('a'), accessPoint('b', 20)], policy, clients)
  const network = telemetry({
    a: { load_pct: 100, clients, throughput_mbps: 40, channel: 1, uptime_s: 100 },
    b: { load_pct: 10, clients: 2, throughput_mbps: 8, channel: 36, uptime_s: 100 },
  })
  const all = Array.from({ length: clients }, (_, n) => client(n, 'a'))
  area.observe(network, () => false)
  expect(area.follow(all, 100, Date.parse(time))).toBe(true)
  return { area, network, all }
}

const move = (number: number, more: object = {}): Proposal => ({
  kind: 'steer',
  client: number,
  from: 0,
  to: 1,
  expected: { reason: 'throughput', beforeMbps: 1, afterMbps: 5, ...more },
})

const context = { policy: policy.name, mode: 'advise', expiresS: 300 } as const

describe('an area', () => {
  it('gives a policy what clients report, and moves them from a full access point to an idle one', () => {
    const { area, network, all } = areaOf(40)
    const proposals = Array.from({ length: 31 }, (_, n) => {
      area.observe(network, () => false)
      return area.decide(100 + n)
    }).flat()
    expect(area.view.clients[3]).toMatchObject({
      id: 'client-3',
      accessPoint: 0,
      deliveredMbps: 1,
      signal: -60,
    })
    expect(proposals.length).toBeGreaterThan(3)
    for (const proposal of proposals) expect(proposal).toMatchObject({ kind: 'steer', from: 0, to: 1 })
    // Reports that are older than a minute are not used.
    area.follow(all, 200, Date.parse(time) + 100_000)
    expect(area.decide(200)).toEqual([])
  })

  it('does not use a report that was old when it was first read', () => {
    const area = new Area([accessPoint('a'), accessPoint('b', 20)], policy, 1)
    area.follow([client(1, 'a')], 500, Date.parse(time) + 20_000)
    expect(area.view.clients[0]?.heardS).toBe(500)
    area.follow([client(2, 'a')], 500, Date.parse(time) + 300_000)
    expect(area.view.clients[1]?.heardS).toBe(200)
  })

  it('has no place for more than twice as many clients, and none for clients of others', () => {
    const { area } = areaOf(300)
    const more = Array.from({ length: 601 }, (_, n) => client(n, 'a'))
    expect([area.follow([...more.slice(0, 600), client(900, 'c')], 101), area.follow(more, 102)]).toEqual([
      true,
      false,
    ])
  })
})

describe('a plan', () => {
  it('is one decision for the moves from an access point, with KPIs that the controller measures', () => {
    const { area, network } = areaOf(40)
    const proposals = [
      move(1, { fromLoad: { before: 1.1, after: 0.98 }, toLoad: { before: 0.1, after: 0.2 } }),
      move(2, { fromLoad: { before: 0.98, after: 0.9 }, toLoad: { before: 0.2, after: 0.3 } }),
    ]
    const [plan, ...others] = plansOf(area, proposals, { network, ...context })
    expect(others).toEqual([])
    expect(plan?.decision).toMatchObject({
      policy: 'best-experience',
      mode: 'advise',
      client: null,
      reason:
        'a is full, load 100 % with 40 clients. 2 clients should get 5 Mbit/s each instead of 1: 2 to b, load 10 % with 2 clients.',
      expected: [
        { ap_id: 'a', kpi: 'load_pct', from: 100, to: 90 },
        { ap_id: 'a', kpi: 'clients', from: 40, to: 38 },
        { ap_id: 'b', kpi: 'load_pct', from: 10, to: 30 },
        { ap_id: 'b', kpi: 'clients', from: 2, to: 4 },
        { ap_id: 'b', kpi: 'throughput_mbps', from: 8, to: 18 },
      ],
      commands: [
        { ap_id: 'a', command: 'steer_client client-1 b' },
        { ap_id: 'a', command: 'steer_client client-2 b' },
      ],
    })
    expect(plan?.decision.observed).toHaveLength(4)
  })

  it('has at most 20 commands, and names the client if it is one', () => {
    const { area, network } = areaOf(40)
    const many = Array.from({ length: 30 }, (_, n) => move(n))
    expect(plansOf(area, many, { network, ...context })[0]?.decision.commands).toHaveLength(20)
    expect(plansOf(area, [move(7)], { network, ...context })[0]?.decision.client).toBe('client-7')
  })

  it('puts an access point to sleep with the power that it saves', () => {
    const { area } = areaOf(3)
    const network = telemetry({ b: { power_w: 6.5, clients: 1 } })
    const sleep: Proposal = {
      kind: 'sleep',
      accessPoint: 1,
      expected: { reason: '1 client moves', savedW: 3.5 },
    }
    expect(plansOf(area, [sleep], { network, ...context })[0]?.decision).toMatchObject({
      expected: [
        { ap_id: 'b', kpi: 'clients', from: 1, to: 0 },
        { ap_id: 'b', kpi: 'power_w', from: 6.5, to: 3 },
      ],
      commands: [{ ap_id: 'b', command: 'sleep' }],
    })
  })
})

type Command = Decision['commands'][number]

const command = (more: Partial<Command> = {}): Command => ({
  ap_id: 'a',
  command: 'steer_client client-1 b',
  verdict: null,
  detail: null,
  job_number: null,
  state: null,
  result: null,
  ended_at: null,
  ...more,
})

const moved = (more: Partial<Command> = {}) =>
  command({ state: 'succeeded', ended_at: time, result: { moved: true, status: 0 }, ...more })

const decision = (more: Partial<Decision> = {}): Decision => ({
  id: 'd1',
  owner: 'advisor',
  owner_kind: 'app',
  policy: 'best-experience',
  mode: 'advise',
  state: 'proposed',
  reason: '',
  client: null,
  observed: [],
  expected: [],
  commands: [command()],
  job_number: null,
  measured: null,
  reverts: null,
  reverted_by: null,
  created_at: time,
  expires_at: null,
  decided_by: null,
  decided_at: null,
  executed_at: null,
  measure_at: null,
  measured_at: null,
  ...more,
})

describe('outcomes', () => {
  it('are those of the client, if the access point has reported them', () => {
    const refused = { moved: false, status: 7 }
    expect(outcomeOf(moved())).toEqual({ kind: 'done', status: 0 })
    expect(outcomeOf(moved({ result: refused }))).toEqual({ kind: 'refused', status: 7 })
    expect(outcomeOf(moved({ state: 'timed_out', result: null }))).toEqual({ kind: 'failed', status: 0 })
    expect(outcomeOf(command({ state: 'sent' }))).toEqual({ kind: 'open', status: 0 })
    const commands = [moved(), moved({ result: refused }), moved({ state: 'failed', detail: 'gone' })]
    expect(outcomeText({ commands })).toBe(
      '1 of 3 commands succeeded, 1 clients refused (status 7), 1 failed: gone',
    )
  })

  it('are worse if the highest load has risen', () => {
    const loads = (...pairs: [string, number | null, number | null][]) => ({
      measured: pairs.map(([apId, before, after]) => ({
        ap_id: apId,
        kpi: 'load_pct' as const,
        before,
        after,
      })),
    })
    expect(hasGotWorse(loads(['a', 90, 70], ['b', 10, 99]))).toBe(true)
    expect(hasGotWorse(loads(['a', 100, 95], ['b', 10, 80]))).toBe(false)
    expect(hasGotWorse(loads(['a', null, 99]))).toBe(false)
    expect(hasGotWorse({ measured: null })).toBe(false)
    expect(measuredText(loads(['a', 90, null]))).toBe('load_pct of a 90 → unknown')
  })

  it('that are worse are undone for clients that are still there', () => {
    const record = decision({
      state: 'measured',
      commands: [moved(), moved({ command: 'steer_client client-2 b' })],
      measured: [{ ap_id: 'a', kpi: 'load_pct', before: 60, after: 90 }],
    })
    const clients = new Map([
      ['client-1', client(1, 'b')],
      ['client-2', client(2, 'c')],
    ])
    expect(revertOf(record, clients, 300)).toMatchObject({
      reverts: 'd1',
      expected: [{ ap_id: 'a', kpi: 'load_pct', from: 90, to: 60 }],
      commands: [{ ap_id: 'b', command: 'steer_client client-1 a' }],
    })
    expect(revertOf(record, new Map(), 300)).toBeUndefined()
  })
})

describe('the tracker', () => {
  const nowMs = Date.parse(time) + 1000
  const rests = { refusedMs: 900_000 }
  const allowed = (tracker: Tracker, atMs = nowMs) => [
    tracker.allowsAccessPoint('a', atMs),
    tracker.allowsClient('client-1', atMs),
  ]

  it('leaves an access point and its clients alone while a proposal is open, and after a rejection', () => {
    const tracker = new Tracker(rests)
    tracker.add(decision(), undefined, nowMs)
    expect([tracker.open, tracker.since, ...allowed(tracker)]).toEqual([1, new Date(time), false, false])
    expect(tracker.update(decision(), nowMs)).toBeUndefined()
    const rejected = decision({ state: 'rejected', decided_at: time, decided_by: 'o' })
    expect(tracker.update(rejected, nowMs)).toMatchObject({ isMeasured: false })
    expect([tracker.open, tracker.since, ...allowed(tracker)]).toEqual([0, undefined, true, false])
    expect(allowed(tracker, nowMs + 900_000)).toEqual([true, true])
  })

  it('tells a policy once what became of the moves, and waits for the effect of those that a person confirmed', () => {
    const { area, network } = areaOf(5)
    const [plan] = plansOf(area, [move(1), move(2), move(3)], { network, ...context })
    const tracker = new Tracker(rests)
    const commands = [
      moved(),
      moved({ command: 'steer_client client-2 b', result: { moved: false, status: 1 } }),
      moved({ command: 'steer_client client-3 b', state: 'failed' }),
    ]
    const sent = { state: 'executed' as const, executed_at: time, decided_by: 'o' }
    const waiting = commands.map((each) => ({ ...each, state: null, result: null, ended_at: null }))
    tracker.add(decision({ commands: waiting }), plan, nowMs)
    const news = tracker.update(decision({ ...sent, commands }), nowMs)
    expect(news?.learnt?.outcomes.map(({ done, status }) => [done, status])).toEqual([
      [true, 0],
      [false, 1],
    ])
    expect(tracker.update(decision({ ...sent, commands }), nowMs)).toBeUndefined()
    expect(tracker.allowsAccessPoint('a', nowMs)).toBe(false)
    const measured = decision({ ...sent, commands, state: 'measured', measured: [] })
    expect(tracker.update(measured, nowMs)).toMatchObject({ isMeasured: true })
    expect([nowMs, nowMs + 20_000].map((atMs) => tracker.allowsAccessPoint('a', atMs))).toEqual([false, true])
    // The one that refused rests for long, the one whose command failed for a minute.
    const later = nowMs + 120_000
    expect(['client-1', 'client-2', 'client-3'].map((id) => tracker.allowsClient(id, later))).toEqual([
      true,
      false,
      true,
    ])
  })

  it('leaves an access point alone for a minute whose decision was not accepted, and others not', () => {
    const tracker = new Tracker(rests)
    tracker.restAccessPoint('a', nowMs)
    expect(['a', 'b'].map((apId) => tracker.allowsAccessPoint(apId, nowMs + 59_000))).toEqual([false, true])
    expect(tracker.allowsAccessPoint('a', nowMs + 60_000)).toBe(true)
  })

  it('knows after a restart what is open, which clients have refused, and what is asleep', () => {
    const tracker = new Tracker(rests)
    const asleep = { state: 'measured' as const, executed_at: time, measured: [] }
    tracker.add(
      decision({ id: 'd0', ...asleep, commands: [moved({ ap_id: 'x', command: 'sleep' })] }),
      undefined,
      nowMs,
    )
    tracker.add(
      decision({ id: 'd2', ...asleep, commands: [moved({ result: { moved: false, status: 1 } })] }),
      undefined,
      nowMs,
    )
    tracker.add(
      decision({ id: 'd3', commands: [command({ ap_id: 'c', command: 'steer_client client-9 d' })] }),
      undefined,
      nowMs,
    )
    expect([tracker.isAsleep('x'), tracker.allowsClient('client-1', nowMs), tracker.open]).toEqual([
      true,
      false,
      1,
    ])
    expect([tracker.allowsAccessPoint('c', nowMs), tracker.allowsClient('client-9', nowMs)]).toEqual([
      false,
      false,
    ])
  })
})

it('decisions of an hour are limited, a tenth of them at once', () => {
  const budget = new HourlyBudget(60, 0)
  const taken = (nowMs: number) => {
    let count = 0
    while (budget.take(nowMs)) count += 1
    return count
  }
  expect([taken(0), taken(30_000), taken(60_000), taken(7_200_000)]).toEqual([6, 0, 1, 6])
})
