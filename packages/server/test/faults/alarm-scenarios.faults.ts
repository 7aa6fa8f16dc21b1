import { setTimeout as sleep } from 'node:timers/promises'
import type { IsolatedEnvironment } from '@manc/harness'
import { testWithEngines } from '@manc/harness/fixture'
import { sized } from '@manc/harness/load'
import { afterAll, describe, expect, vi } from 'vitest'
import { mailAddress, messagesOf, readMessages, sinkTypes } from './alarms/notification-sinks.ts'
import { type Emulation, ScenarioSite } from './alarms/scenario-site.ts'

const it = testWithEngines.override('withServer', false)

/** Of the network: the same seed gives the same values at the same seconds. */
const seed = process.env['MANC_SEED'] ?? 'alarms'
const each = sized(3, 1)
/** Seconds. Events of the scenarios begin after a third of it, and end before nine tenths. */
const duration = sized(240, 150)
const outageMs = sized(60_000, 20_000)
/** After the duration of a rule. In the quick mode other suites share the machine. */
const maxNotifiedMs = sized(30_000, 60_000)
/** Longer than any scenario takes on a busy machine. */
const patience = { timeout: 300_000, interval: 500 }
vi.setConfig({ testTimeout: 600_000 })

let environment: IsolatedEnvironment
let site: ScenarioSite

it.beforeAll(async ({ environment: own }) => {
  environment = own
  site = await ScenarioSite.start(environment)
}, 180_000)

afterAll(async () => {
  await site?.stop()
}, 60_000)

/** Alarms and events of an access point in the end: each was raised once, and cleared once because its value was good. */
const cleared = (...rules: string[]) => rules.map((rule) => `${rule} recovered`)
const reported = (...rules: string[]) =>
  rules.flatMap((rule) => [`${rule} alarm_cleared`, `${rule} alarm_raised`])

/** Of the webhook and of the e-mail: when it is raised and when it is cleared, each alarm is in one message. */
async function expectNotified(apIds: readonly string[]): Promise<void> {
  const alarms = (await Promise.all(apIds.map((apId) => site.alarmsOf(apId)))).flat()
  const read = () => readMessages((...request) => site.request(...request))
  const posted: unknown[] = []
  for (const { id: alarm, rule, raised_at: raisedAt } of alarms)
    for (const type of sinkTypes)
      for (const state of ['open', 'cleared'] as const) {
        const found = async () => messagesOf(await read(), { type, alarm, state })
        await expect.poll(found, patience).toMatchObject([{ status: 'sent' }])
        const [message] = await found()
        if (type === 'webhook') posted.push(message?.id)
        if (state !== 'open') continue
        const afterMs = Date.parse(message?.sent_at ?? '') - Date.parse(raisedAt)
        console.log(`"${rule}", ${type}: sent ${(afterMs / 1000).toFixed(1)} s after it was raised`)
        expect(afterMs).toBeLessThan(maxNotifiedMs)
      }
  // A controller that is killed may send a message again, with the same id.
  expect(site.sinks.webhook.received.map(({ id }) => id)).toEqual(expect.arrayContaining(posted))
}

/** The report is printed, since it is what this suite is run for. */
async function print(what: string, beganAt: number, apIds: readonly string[]): Promise<void> {
  for (const apId of apIds)
    for (const alarm of await site.alarmsOf(apId)) {
      const second = (time: string | null) => ((Date.parse(time ?? '') - beganAt) / 1000).toFixed(1)
      console.log(
        `${what}, seed ${seed}: ${apId} "${alarm.rule}" raised at ${second(alarm.raised_at)} s, ` +
          `cleared at ${second(alarm.cleared_at)} s`,
      )
    }
}

describe('emulated networks', () => {
  const wifi = { access_point_type: 'WiFi', num_access_points: each, duration }
  const specs = {
    'rush hour': { ...wifi, num_devices: 100, scenario: 'rush_hour' },
    'backhaul cut': { ...wifi, num_devices: 10, scenario: 'backhaul_cut' },
    'access point failure': { ...wifi, num_devices: 10, scenario: 'access_point_failure' },
    // Six blockages in the emulation, of which the first is within the duration of the others.
    'LiFi beam blocked': {
      access_point_type: 'LiFi',
      num_access_points: each,
      num_devices: 24,
      duration: duration * 6,
      scenario: 'lifi_beam_blocked',
    },
    'steady network': { ...wifi, num_devices: 10, duration: duration * 6, scenario: 'steady' },
  }
  const expected: Record<keyof typeof specs, string[]> = {
    'rush hour': ['load'],
    'backhaul cut': ['latency', 'loss'],
    'access point failure': ['offline'],
    'LiFi beam blocked': ['beam'],
    'steady network': [],
  }
  const names = Object.keys(specs) as (keyof typeof specs)[]
  let emulation: Emulation
  let beganAt = 0

  const agentsOf = (name: keyof typeof specs): string[] => {
    const from = names.indexOf(name) * each
    return emulation.agents.slice(from, from + each)
  }

  it.beforeAll(async () => {
    const above = (threshold: number, clear: number) => ({
      raise_op: '>=',
      raise_threshold: threshold,
      clear_threshold: clear,
    })
    await site.createRule({ name: 'load', metric: 'load_pct', ...above(90, 60) })
    await site.createRule({ name: 'latency', metric: 'latency_ms', ...above(1000, 500) })
    await site.createRule({ name: 'loss', metric: 'packet_loss_pct', ...above(50, 25) })
    const expr = 'last_over_time(blockage[10s])'
    await site.createRule({ name: 'beam', metric: 'expression', expr, ...above(1, 1) })
    beganAt = Date.now()
    emulation = await site.emulate(Object.values(specs), seed)
    // Others may be offline for a moment on a busy machine, and all are at the end of their emulation.
    const apIds = agentsOf('access point failure')
    await site.createRule({ name: 'offline', metric: 'presence', severity: 'critical', ap_ids: apIds })
  })

  it.for(names)('%s: each expected alarm is raised once and cleared once', async (name) => {
    const apIds = agentsOf(name)
    for (const apId of apIds)
      await expect.poll(() => site.states(apId), patience).toEqual(cleared(...expected[name]))
    await print(name, beganAt, apIds)
    for (const apId of apIds) expect(await site.events(apId)).toEqual(reported(...expected[name]))
    await expectNotified(apIds)
  })

  it('no access point had any other alarm, and each message was sent once', async () => {
    // At the end of its emulation the access point that failed is offline again.
    const endsAt = new Date(beganAt + duration * 1000)
    const [row] = await environment.sql('select count(*)::int as alarms from alarms where raised_at < $1', [
      endsAt,
    ])
    const alarms = names.reduce((sum, name) => sum + each * expected[name].length, 0)
    expect(row).toEqual({ alarms })
    // A message may be on its way.
    await expect
      .poll(async () => {
        const messages = await readMessages((...request) => site.request(...request))
        const sent = (type: string) =>
          messages.filter((message) => message.type === type && message.status === 'sent').length
        const { webhook, mail } = site.sinks
        return [
          webhook.received.length - sent('webhook'),
          mail.textsTo(mailAddress).length - sent('email'),
          messages.filter(({ status }) => status !== 'sent').length,
        ]
      }, patience)
      .toEqual([0, 0, 0])
    await site.request('DELETE', `/emulations/${emulation.job_number}`)
  })
})

describe('an alarm', () => {
  let first = ''
  let second = ''
  let job = ''
  let beganAt = 0

  /** A lamp that is off has no clients, but its agent still sends samples. */
  const turn = (apId: string, to: 'bad' | 'good') =>
    site.command(apId, to === 'bad' ? 'power_off' : 'power_on')
  const expectUnchanged = async (apId: string, id: string | undefined) =>
    expect(await site.alarmsOf(apId)).toMatchObject([{ id, state: 'open' }])

  it.beforeAll(async () => {
    const none = { raise_op: '<=', raise_threshold: 0, clear_threshold: 0 }
    await site.createRule({ name: 'clients', metric: 'clients', technologies: ['LiFi'], ...none })
  })

  /** Two lamps with clients; the first has an alarm. */
  it.beforeEach(async () => {
    beganAt = Date.now()
    const lamps = { access_point_type: 'LiFi', num_access_points: 2, num_devices: 24, duration: 3600 }
    const emulation = await site.emulate([{ ...lamps, scenario: 'steady' }], seed)
    const { agents } = emulation
    job = emulation.job_number
    ;[first = '', second = ''] = agents
    for (const apId of agents) await expect.poll(() => clientsOf(apId), patience).toBeGreaterThan(0)
    await turn(first, 'bad')
    await expect.poll(() => site.states(first), patience).toEqual(['clients open'])
  })

  it.afterEach(async () => {
    await site.request('DELETE', `/emulations/${job}`)
  })

  /** Of the newest sample in the metrics store. */
  async function clientsOf(apId: string): Promise<number> {
    const query = encodeURIComponent(`last_over_time(clients{ap_id="${apId}"}[10s])`)
    const response = await fetch(`${environment.engines.victoria}/api/v1/query?nocache=1&query=${query}`)
    const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } }
    return Number(data.result[0]?.value[1] ?? 0)
  }

  const bothEnd = async (what: string) => {
    for (const apId of [first, second])
      await expect.poll(() => site.states(apId), patience).toEqual(cleared('clients'))
    await print(what, beganAt, [first, second])
    for (const apId of [first, second]) expect(await site.events(apId)).toEqual(reported('clients'))
    await expectNotified([first, second])
  }

  it(`stays open while the metrics store is down for ${outageMs / 1000} s, and nothing is raised or cleared twice`, async () => {
    const [alarm] = await site.alarmsOf(first)
    await environment.set.kill('victoria')
    await turn(first, 'good')
    await turn(second, 'bad')
    await sleep(outageMs)
    // Nothing is known about either of them.
    await expectUnchanged(first, alarm?.id)
    expect(await site.states(second)).toEqual([])
    await environment.set.start('victoria')
    await expect.poll(() => site.states(first), patience).toEqual(cleared('clients'))
    await expect.poll(() => site.states(second), patience).toEqual(['clients open'])
    await turn(second, 'good')
    await bothEnd('metrics store down')
  })

  it.for(['SIGTERM', 'SIGKILL'] as const)(
    'is the same one after a restart of the controller with %s, and is cleared once',
    async (signal) => {
      const [alarm] = await site.alarmsOf(first)
      await turn(second, 'bad')
      await site.stopServer(signal)
      await site.startServer()
      await expect.poll(() => site.states(second), patience).toEqual(['clients open'])
      await expectUnchanged(first, alarm?.id)
      await turn(first, 'good')
      await turn(second, 'good')
      await bothEnd(`restart with ${signal}`)
    },
  )
})
