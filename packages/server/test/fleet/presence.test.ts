import { setTimeout as sleep } from 'node:timers/promises'
import { healthDefaults } from '@manc/contract'
import type { TestEnvironment } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { afterAll, beforeEach, describe, expect } from 'vitest'
import { migrate, Postgres, sql as query } from '../../src/engines/postgres.ts'
import { Limits } from '../../src/limits.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { AgentStore } from '../../src/modules/agents/agents.store.ts'
import { createEventsModule, type EventService } from '../../src/modules/events/index.ts'
import { FleetStore } from '../../src/modules/fleet/fleet.store.ts'
import { HealthPlan } from '../../src/modules/fleet/health.rules.ts'
import { MonitorStore } from '../../src/modules/fleet/monitors.store.ts'
import { PresenceService } from '../../src/modules/fleet/presence.service.ts'

const it = test.override('withServer', false)

const log = createLog('silent')
/** Silent for two or three of them and a second more, an agent changes its state: in no case after one run that was delayed. */
const intervalS = 0.8

let environment: TestEnvironment
let postgres: Postgres
let events: EventService

it.beforeAll(async ({ environment: own }) => {
  environment = own
  const url = environment.databaseUrl
  await migrate(url, log)
  const metrics = new Metrics(log)
  postgres = new Postgres({ url, connections: 4, log, metrics, timeoutMs: 20_000 })
  const config = { MANC_AGENT_EVENTS_PER_HOUR: 1000, MANC_EVENT_DAYS: 30 }
  events = createEventsModule({ config, log, postgres, limits: new Limits(metrics), metrics }).events
})

afterAll(async () => {
  await postgres?.stop()
})

beforeEach(async () => {
  await sql('delete from agents')
  await sql('delete from fleet_keepers')
  await sql(
    `insert into agents (id, ap_id, password_hash, configuration)
     select gen_random_uuid(), ap_id, 'x', '{}' from unnest(array['a', 'b', 'c']) as ap_id`,
  )
  await sql(`insert into fleet (ap_id, interval_s) select ap_id, ${intervalS} from agents`)
})

let reads = 0
const sql = <Row extends object>(text: string): Promise<Row[]> => postgres.read(`test ${++reads}`, text, [])

async function states(): Promise<Record<string, string>> {
  const rows = await sql<{ ap_id: string; state: string }>('select ap_id, state from fleet order by ap_id')
  return Object.fromEntries(rows.map(({ ap_id, state }) => [ap_id, state]))
}

let current = true
function monitor(isCurrent: () => boolean = () => true): PresenceService {
  const agents = new AgentStore(postgres)
  return new PresenceService({
    postgres,
    events,
    store: new FleetStore(postgres),
    monitors: new MonitorStore(postgres),
    markOnboard: async (apIds) => void (await agents.markOnboard(postgres.db, apIds)),
    lagMs: () => (isCurrent() ? 0 : Number.POSITIVE_INFINITY),
    healthRule: healthDefaults,
    log,
  })
}

async function runs(count: number, ...monitors: PresenceService[]): Promise<void> {
  for (let n = 0; n < count; n++) {
    for (const each of monitors) await each.run()
    await sleep(300)
  }
}

/** More runs than an agent without samples stays online for. */
const longerThanSilence = 13

/** Runs the monitors until the agent is offline, and before each run what is given. */
async function runUntilOffline(
  apId: string,
  monitors: readonly PresenceService[],
  before = () => {},
): Promise<void> {
  for (let n = 0; n < 100 && (await states())[apId] !== 'offline'; n++) {
    before()
    await runs(1, ...monitors)
  }
}

describe('presence', () => {
  it('writes when an agent becomes online or offline, and nothing in between', async () => {
    const one = monitor()
    one.recordSample('a')
    await runs(1, one)
    expect(await states()).toEqual({ a: 'online', b: 'offline', c: 'offline' })
    const written = () => sql(`select transaction_id::text from fleet where ap_id = 'a'`)
    const before = await written()
    for (let n = 0; n < 5; n++) {
      for (let sample = 0; sample < 1000; sample++) one.recordSample('a')
      await runs(1, one)
    }
    expect(await written()).toEqual(before)
    await runUntilOffline('a', [one])
    expect(await states()).toMatchObject({ a: 'offline' })
    expect(await sql("select onboard from agents where ap_id in ('a', 'b') order by ap_id")).toEqual([
      { onboard: true },
      { onboard: false },
    ])
  })

  it('reports no agent as silent while it cannot keep up with the samples', async () => {
    current = true
    const one = monitor(() => current)
    one.recordSample('a')
    await runs(2, one)
    current = false
    const judgedAt = () => sql<{ judged_at: Date }>('select judged_at from fleet_keepers')
    await runs(1, one)
    const before = await judgedAt()
    await runs(longerThanSilence, one)
    expect(await states()).toMatchObject({ a: 'online' })
    expect(await judgedAt()).toEqual(before)
    current = true
    await runUntilOffline('a', [one])
    expect(await states()).toMatchObject({ a: 'offline' })
  })

  it('leaves an agent to the monitor that receives its samples now', async () => {
    const [one, other] = [monitor(), monitor()]
    one.recordSample('a')
    await runs(2, one, other)
    for (let n = 0; n < longerThanSilence; n++) {
      other.recordSample('a')
      await runs(1, one, other)
    }
    expect(await states()).toMatchObject({ a: 'online' })
    await runUntilOffline('a', [one, other])
    expect(await states()).toMatchObject({ a: 'offline' })
  })

  it('takes over the agents of a dead monitor and notices their silence', async () => {
    const [dead, other] = [monitor(), monitor()]
    dead.recordSample('a')
    dead.recordSample('b')
    await runs(1, dead)
    await runs(13, other)
    expect(await states()).toMatchObject({ a: 'online', b: 'online' })
    await sql(
      `update fleet_keepers set alive_at = now() - interval '11 s' where alive_at < now() - interval '3 s'`,
    )
    await runUntilOffline('a', [other], () => other.recordSample('b'))
    expect(await states()).toMatchObject({ a: 'offline', b: 'online' })
    expect(await sql('select id from fleet_keepers')).toHaveLength(1)
  })

  it('hands its agents over when it stops', async () => {
    const [one, other] = [monitor(), monitor()]
    await runs(12, other)
    one.recordSample('a')
    await one.run()
    await one.stop()
    await runs(1, other)
    const keepers = await sql<{ keeper: string; id: string }>(
      `select fleet.keeper, fleet_keepers.id from fleet, fleet_keepers where ap_id = 'a'`,
    )
    expect(keepers).toHaveLength(1)
    expect(keepers[0]?.keeper).toBe(keepers[0]?.id)
  })

  it('stops tracking a deleted agent', async () => {
    const one = monitor()
    one.recordSample('a')
    await runs(1, one)
    await sql(`delete from agents where ap_id = 'a'`)
    one.recordSample('a')
    one.recordSample('unregistered')
    await runs(longerThanSilence, one)
    expect(await states()).toEqual({ b: 'offline', c: 'offline' })
  })
})

describe('the health of an agent', () => {
  const plan = new HealthPlan(['load_pct'])
  let nowMs = Date.now()
  /** Every 10 s of sample time. */
  function send(to: PresenceService, loadPct: number, samples: number, apId = 'a'): void {
    for (let n = 0; n < samples; n++) to.recordSample(apId, plan, [loadPct], (nowMs += 10_000))
  }

  const stored = async () => {
    const [row] = await sql<{ kpi_health: string; levels: string[] }>(
      `select kpi_health, array(select reason->>'level' from jsonb_array_elements(reasons) reason) as levels
       from fleet where ap_id = 'a'`,
    )
    return row
  }

  it('is written when it changes, and not for each sample', async () => {
    const one = monitor()
    send(one, 20, 1)
    await one.run()
    expect(await stored()).toEqual({ kpi_health: 'good', levels: [] })
    send(one, 98, 4)
    await one.run()
    expect(await stored()).toEqual({ kpi_health: 'bad', levels: ['bad'] })
    const written = () => sql(`select changed_in::text, health_since, reasons from fleet where ap_id = 'a'`)
    const before = await written()
    send(one, 99, 50)
    await one.run()
    expect(await written()).toEqual(before)
    send(one, 20, 4)
    await one.run()
    expect(await stored()).toEqual({ kpi_health: 'good', levels: [] })
  })

  it('is neither raised nor cleared by a restart of its monitor', async () => {
    const dead = monitor()
    send(dead, 98, 1)
    await dead.run()
    send(dead, 98, 4)
    await dead.run()
    await dead.stop()
    const next = monitor()
    send(next, 20, 1)
    await next.run()
    send(next, 20, 2)
    await next.run()
    expect(await stored()).toEqual({ kpi_health: 'bad', levels: ['bad'] })
    send(next, 20, 1)
    await next.run()
    expect(await stored()).toEqual({ kpi_health: 'good', levels: [] })
  })

  it('is left to the monitor that receives its samples now', async () => {
    const [one, other] = [monitor(), monitor()]
    send(one, 20, 1)
    await one.run()
    send(other, 20, 1)
    await other.run()
    // The first one does not know yet that it has lost the agent: its update finds another monitor in the row.
    send(one, 98, 4)
    await new FleetStore(postgres).setHealths(postgres.db, '00000000-0000-4000-8000-000000000000', [
      { apId: 'a', kpiHealth: 'bad', reasons: [] },
    ])
    expect(await stored()).toEqual({ kpi_health: 'good', levels: [] })
    await one.run()
    expect(await stored()).toEqual({ kpi_health: 'good', levels: [] })
  })

  it('is kept while the agent is silent', async () => {
    const one = monitor()
    send(one, 98, 1)
    await one.run()
    send(one, 98, 3)
    await runUntilOffline('a', [one])
    expect(await states()).toMatchObject({ a: 'offline' })
    expect(await stored()).toEqual({ kpi_health: 'bad', levels: ['bad'] })
    send(one, 20, 1)
    await runs(1, one)
    expect(await states()).toMatchObject({ a: 'online' })
    expect(await stored()).toEqual({ kpi_health: 'bad', levels: ['bad'] })
  })

  it('locks agents in the order of their ids to write their statuses', async () => {
    const store = new FleetStore(postgres)
    const statuses = ['c', 'b', 'a'].map((apId) => ({ apId, isDisconnect: false, connectedAt: undefined }))
    let writing: Promise<unknown> = Promise.resolve()
    await postgres.transaction(async (tx) => {
      const lock = (apId: string) =>
        query`select from fleet where ap_id = ${apId} for update nowait`.execute(tx)
      await lock('a')
      writing = postgres.transaction((other) => store.applyStatuses(other, statuses))
      await expect
        .poll(
          () =>
            sql(
              `select 1 as waiting from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'`,
            ),
          { timeout: 15_000 },
        )
        .toHaveLength(1)
      await lock('c')
    })
    await writing
    expect(await states()).toEqual({ a: 'online', b: 'online', c: 'online' })
  })
})
