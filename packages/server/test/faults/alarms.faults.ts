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

/** What agents with too many alarms sent, and the alarms that they had. */
async function historyOf(cycles: Cycles): Promise<string> {
  const apIds = [...cycles.excess.keys()]
  const alarms = await environment.sql(
    `select ap_id, raised_at, cleared_at, value from alarms
     where ap_id in (${apIds.map((apId) => `'${apId}'`).join(', ') || "''"}) order by id`,
  )
  const lines = apIds.flatMap((apId) => [
    `${apId}: ${cycles.excess.get(apId)}`,
    ...cycles.turnsOf(apId),
    ...alarms
      .filter(({ ap_id: of }) => of === apId)
      .map(({ raised_at: raisedAt, cleared_at: clearedAt, value }) =>
        JSON.stringify([apId, 'alarm', value, raisedAt, clearedAt]),
      ),
  ])
  return [`seed ${seed}`, ...lines].join('\n')
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
    if (cycles.excess.size > 0) throw new Error(await historyOf(cycles))
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

/** The newest value of the agent in the store, and how many it has. */
async function stored(apId: string): Promise<{ newest: number; samples: number }> {
  const read = async (query: string) => {
    const url = `${engines.urls.victoria}/api/v1/query?query=${encodeURIComponent(query)}`
    const body: any = await (await fetch(url)).json()
    return Number(body.data.result[0]?.value[1] ?? Number.NaN)
  }
  const series = `power_w{ap_id="${apId}"}[60s]`
  return {
    newest: await read(`last_over_time(${series})`),
    samples: await read(`count_over_time(${series})`),
  }
}

it('a store that has lost the newest samples in a crash clears no alarm', async () => {
  const apId = 'crashed'
  const request = await adminRequest()
  await request('POST', '/agents/', { ap_id: apId, password: 'p', configuration: {} })
  await request('POST', '/alarm_rules', {
    name: 'much power',
    severity: 'warning',
    metric: 'power_w',
    raise_op: '>=',
    raise_threshold: 100,
    raise_for_s: 0,
    clear_for_s: 2,
  })
  const power = new Samples(environment.rabbitmqUrl, 'power_w')
  const found = async () => (await countAlarms()).get(apId) ?? { total: 0, open: 0 }
  const patience = { timeout: patienceMs, interval: 200 }
  const ingester = servers.get('ingester')?.pid ?? 0
  try {
    power.values.set(apId, 10)
    await power.start()
    // The first ones are on disk then.
    await expect.poll(async () => (await stored(apId)).samples, patience).toBeGreaterThan(12)
    let hasLost = false
    // On a slow machine the alarm may be raised when its samples are on disk already.
    for (let times = 1; !hasLost && times <= 5; times++) {
      power.values.set(apId, 150)
      await expect.poll(found, patience).toEqual({ total: times, open: 1 })
      // What was lost is not written again before the store was queried some times.
      process.kill(ingester, 'SIGSTOP')
      await engines.kill('victoria')
      await engines.start('victoria')
      hasLost = (await stored(apId)).newest === 10
      await sleep(hasLost ? 5000 : 0)
      process.kill(ingester, 'SIGCONT')
      await expect.poll(async () => (await stored(apId)).newest, patience).toBe(150)
      expect(await found()).toEqual({ total: times, open: 1 })
      power.values.set(apId, 10)
      await expect.poll(found, patience).toEqual({ total: times, open: 0 })
    }
    expect(hasLost).toBe(true)
  } finally {
    await power.stop()
  }
}, 600_000)
