import { setTimeout as sleep } from 'node:timers/promises'
import {
  admin,
  call,
  createEnvironment,
  type ServerProcess,
  startServerProcess,
  type TestEnvironment,
  tokenOf,
} from '@manc/harness'
import { sized } from '@manc/harness/load'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EngineSet, startSet } from '../../../../tools/engines/index.ts'
import { seeded } from '../chaos/caller.ts'
import { Cycles, type Found } from './alarms/cycles.ts'
import { reportNotifications } from './alarms/notification-report.ts'
import { NotificationSinks } from './alarms/notification-sinks.ts'
import { Samples } from './alarms/samples.ts'

const agents = sized(40, 16)
/** Each victim is killed this often. */
const rounds = sized(4, 1)
const seed = Number(process.env['MANC_SEED'] ?? Math.floor(Math.random() * 2 ** 32))
const random = seeded(seed)
/** Longer than any step takes on a busy machine. */
const patienceMs = 240_000

const roles = ['api', 'subscriber', 'ingester'] as const
type Role = (typeof roles)[number]
const victims = ['vmalert', 'subscriber', 'api', 'postgres', 'victoria'] as const
type Victim = (typeof victims)[number]

let engines: EngineSet
let environment: TestEnvironment
let samples: Samples
let sinks: NotificationSinks
const servers = new Map<Role, ServerProcess>()

async function start(role: Role): Promise<void> {
  const before = servers.get('api')?.url
  const server = await startServerProcess({
    ...environment.variables,
    MANC_ROLES: role,
    // vmalert and the subscriber know the api by its ports.
    ...(role === 'api' && {
      MANC_PORT: before === undefined ? '0' : new URL(before).port,
      MANC_INTERNAL_PORT: String(engines.ports.internal),
    }),
    ...(role === 'subscriber' && {
      MANC_API_URL: before ?? '',
      MANC_VMALERT_RULES_PATH: engines.rulesFile,
    }),
  })
  servers.set(role, server)
}

beforeAll(async () => {
  sinks = await NotificationSinks.start()
  engines = await startSet({ name: 'alarms', ephemeral: true, vmalert: true })
  environment = await createEnvironment(engines.urls, {
    ...sinks.variables,
    MANC_LOG_LEVEL: 'info',
    MANC_ALARM_INTERVAL_SECONDS: '1',
    MANC_ALARM_LOOKBACK_SECONDS: '10',
    MANC_ALARM_FLAPPING: '1000',
  })
  for (const role of roles) await start(role)
  samples = new Samples(environment.rabbitmqUrl, 'clients')
})

afterAll(async () => {
  await samples?.stop()
  for (const server of servers.values()) await server.stop('SIGKILL')
  await engines?.down()
  await sinks?.stop()
})

async function killAndStart(victim: Victim): Promise<void> {
  const pauseMs = 500 + random() * 2500
  if (victim === 'api' || victim === 'subscriber') {
    await servers.get(victim)?.stop('SIGKILL')
    await sleep(pauseMs)
    return start(victim)
  }
  await engines.kill(victim)
  await sleep(pauseMs)
  await engines.start(victim)
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

async function countAlarms(): Promise<Map<string, Found>> {
  const rows = await environment.sql(
    `select ap_id, count(*)::int as total, count(*) filter (where cleared_at is null)::int as open
     from alarms group by ap_id`,
  )
  return new Map(rows.map(({ ap_id: apId, total, open }) => [apId, { total, open }]))
}

/** Until the condition holds. The database may be down meanwhile. */
async function advanceUntil(cycles: Cycles, what: string, isDone: () => boolean): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !isDone(); await sleep(200)) {
    if (Date.now() > deadline)
      throw new Error(
        `seed ${seed}: after ${patienceMs} ms not ${what}. Pending: ${cycles.pending.join(', ')}`,
      )
    const found = await countAlarms().catch(() => undefined)
    if (found) cycles.advance(found)
  }
}

async function requestAs(token: string, method: string, path: string, body?: object): Promise<any> {
  const answer = await call(servers.get('api')?.url ?? '', method, `/api/v1${path}`, {
    token,
    ...(body && { body }),
  })
  expect([answer.status, answer.body]).toEqual([200, expect.anything()])
  return answer.body
}

async function adminRequest() {
  const token = await tokenOf(servers.get('api')?.url ?? '', 'user', admin.username, admin.password)
  return (method: string, path: string, body?: object) => requestAs(token, method, path, body)
}

/** One rule of a metric without a built-in one, so that each agent has alarms of this rule only. */
async function setUp(): Promise<string[]> {
  const request = await adminRequest()
  await environment.sql('update alarm_rules set is_enabled = false where is_builtin')
  await request('POST', '/alarm_rules', {
    name: 'many clients',
    severity: 'warning',
    metric: 'clients',
    raise_op: '>=',
    raise_threshold: 100,
    raise_for_s: 2,
    clear_threshold: 50,
    clear_for_s: 4,
  })
  await sinks.createRoutes(request)
  const apIds = Array.from({ length: agents }, (_, n) => `killed-${n}`)
  for (const apId of apIds)
    await request('POST', '/agents/', { ap_id: apId, password: 'p', configuration: { technology: 'WiFi' } })
  return apIds
}

/** Events by alarm, and alarms by agent. */
async function outcome() {
  const alarms = await environment.sql(
    `select id::text as id, ap_id, cleared_at is not null as is_cleared, is_flapping, clear_reason from alarms`,
  )
  const events = await environment.sql(
    `select kind, ap_id, data ->> 'alarm' as alarm from events where kind like 'alarm%'`,
  )
  const eventsOf = (kind: string, id: string) =>
    events.filter((event) => event.kind === kind && event.alarm === id).length
  const of = (predicate: (alarm: (typeof alarms)[number]) => boolean) =>
    alarms.filter(predicate).map(({ id, ap_id: apId }) => `${apId} ${id}`)
  return {
    raised: alarms.length,
    cleared: alarms.filter((alarm) => alarm.is_cleared).length,
    wrongRaisedEvents: of(({ id }) => eventsOf('alarm_raised', id) !== 1),
    wrongClearedEvents: of(
      ({ id, is_cleared: isCleared }) => eventsOf('alarm_cleared', id) !== (isCleared ? 1 : 0),
    ),
    otherReasons: of(
      ({ is_cleared: isCleared, clear_reason: reason }) => isCleared && reason !== 'recovered',
    ),
    eventsWithoutAlarm: events.filter(({ alarm }) => !alarms.some(({ id }) => id === alarm)).length,
  }
}

it(
  'every condition has one alarm and every end one clearing, whichever process is killed',
  async () => {
    console.log(`seed ${seed}, ${agents} agents, ${rounds * victims.length} kills`)
    const apIds = await setUp()
    const cycles = new Cycles({ samples, random, maxPauseMs: 4000 })
    for (const [n, apId] of apIds.entries()) cycles.add(apId, n % 2 === 0)
    await samples.start()
    await advanceUntil(cycles, 'all agents have had an alarm', () => cycles.steps >= agents)
    const recoveries: string[] = []
    for (const victim of Array.from({ length: rounds }, () => shuffled(victims)).flat()) {
      // At another moment of the cycles of the agents each time.
      const before = cycles.steps
      const some = 1 + Math.floor((random() * agents) / 2)
      await advanceUntil(cycles, `further after ${victim}`, () => cycles.steps >= before + some)
      const [killedAt, steps] = [Date.now(), cycles.steps]
      const restarting = killAndStart(victim)
      let isRestarted = false
      // Agents go on to change their values while it is away.
      restarting.then(
        () => (isRestarted = true),
        () => (isRestarted = true),
      )
      await advanceUntil(cycles, `${victim} started again`, () => isRestarted)
      await restarting
      await advanceUntil(cycles, `working again after ${victim}`, () => cycles.steps > steps)
      recoveries.push(`${victim} ${((Date.now() - killedAt) / 1000).toFixed(1)} s`)
    }
    cycles.end()
    await advanceUntil(cycles, 'all agents in their last state', () => cycles.pending.length === 0)
    // What is repeated may come late: one more agent goes through all of it.
    const probe = new Cycles({ samples, random, maxPauseMs: 0 })
    const request = await adminRequest()
    await request('POST', '/agents/', { ap_id: 'probe', password: 'p', configuration: {} })
    probe.add('probe', false)
    probe.end()
    await advanceUntil(probe, 'an alarm of another agent cleared', () => probe.pending.length === 0)

    const found = await countAlarms()
    const expected = new Map([...cycles.expected, ...probe.expected])
    const report = await outcome()
    const notifications = await reportNotifications(environment, sinks, await adminRequest())
    console.log('report', JSON.stringify({ seed, ...report, notifications, recoveries }))
    expect([...cycles.excess]).toEqual([])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
    expect(report).toMatchObject({
      wrongRaisedEvents: [],
      wrongClearedEvents: [],
      otherReasons: [],
      eventsWithoutAlarm: 0,
    })
    expect(notifications).toMatchObject({
      notReceived: 0,
      unknownIds: [],
      openWithoutMessage: [],
      severalMessages: [],
      withoutCleared: [],
    })
  },
  sized(1_800_000, 900_000),
)
