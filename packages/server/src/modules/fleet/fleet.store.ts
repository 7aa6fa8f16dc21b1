import type { AgentState, HealthReason, KpiHealth, Technology } from '@manc/contract'
import { changesSince, type Horizon, lastHorizon } from '../../engines/postgres.horizon.ts'
import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import { deadMonitors } from './monitors.store.ts'
import type { Placement } from './placement.rules.ts'

export interface PlacedAgent extends Placement {
  apId: string
}

/** An agent that a monitor has taken over. */
export interface MonitoredRow {
  apId: string
  state: 'online' | 'stale'
  intervalS: number
  technology: Technology
  kpiHealth: KpiHealth
  reasons: HealthReason[]
}

export interface HealthChange {
  apId: string
  kpiHealth: KpiHealth
  reasons: HealthReason[]
}

/** An agent whose health has changed, and not only its reasons. */
export interface ChangedHealth {
  apId: string
  from: KpiHealth
  to: KpiHealth
  reasons: HealthReason[]
}

export interface Silence {
  apId: string
  state: 'stale' | 'offline'
  /** How long ago its last sample arrived. */
  silentS: number
}

/** An agent whose state has changed. */
export interface ChangedState {
  apId: string
  state: AgentState
}

/** At most one per agent. */
export interface StatusReport {
  apId: string
  isDisconnect: boolean
  /** Start of the connection that it is about, by the agent's clock. */
  connectedAt: Date | undefined
}

const returnedColumns = sql`ap_id as "apId", state, interval_s as "intervalS", technology,
  kpi_health as "kpiHealth", reasons`

/**
 * The only writer of the table `fleet`: one narrow row per agent, with its placement and its state. Its column
 * `keeper` is the id of the monitor, the ingester replica that detects when the agent falls silent.
 * State changes come in batches, one statement each.
 */
export class FleetStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /**
   * A new interval or technology removes the monitor, which has the old one in memory: the next one to poll adopts the agent.
   * `emulatedBy` is set for new rows only.
   */
  async place(tx: Executor, agents: readonly PlacedAgent[], emulatedBy: string | null): Promise<void> {
    const column = <Name extends keyof PlacedAgent>(name: Name) => agents.map((agent) => agent[name])
    await sql`
      insert into fleet (ap_id, name, name_key, place, place_key, version, version_key, technology, latitude, longitude, interval_s,
        emulated_by, is_described)
      select *, ${emulatedBy}::uuid, true from unnest(${column('apId')}::text[], ${column('name')}::text[],
        ${column('nameKey')}::text[], ${column('place')}::text[], ${column('placeKey')}::text[],
        ${column('version')}::text[], ${column('versionKey')}::text[], ${column('technology')}::text[],
        ${column('latitude')}::float8[], ${column('longitude')}::float8[], ${column('intervalS')}::float8[])
      on conflict (ap_id) do update set
        name = excluded.name, name_key = excluded.name_key, place = excluded.place, place_key = excluded.place_key,
        version = excluded.version, version_key = excluded.version_key, is_described = true, technology = excluded.technology,
        latitude = excluded.latitude, longitude = excluded.longitude, interval_s = excluded.interval_s,
        keeper = case when (fleet.interval_s, fleet.technology) = (excluded.interval_s, excluded.technology)
          then fleet.keeper end,
        transaction_id = pg_current_xact_id()
    `.execute(tx)
  }

  /** Agents whose samples this monitor has received are online and its own. Answers those that are registered. */
  async claim(
    tx: Executor,
    monitor: string,
    apIds: string[],
  ): Promise<(MonitoredRow & { isChanged: boolean })[]> {
    // Ordered, so that two monitors that claim the same agents cannot deadlock.
    const { rows } = await sql<MonitoredRow & { isChanged: boolean }>`
      insert into fleet (ap_id, state, keeper)
      select ap_id, 'online', ${monitor}::uuid from agents where ap_id = any(${apIds}) order by ap_id
      on conflict (ap_id) do update set
        since = case when fleet.state = 'online' then fleet.since else now() end,
        state = 'online', last_seen = null, keeper = excluded.keeper, transaction_id = pg_current_xact_id()
      returning ${returnedColumns}, since = now() as "isChanged"
    `.execute(tx)
    return rows
  }

  /** Skips agents that another monitor has claimed meanwhile. */
  async setSilent(tx: Executor, monitor: string, silences: Silence[]): Promise<ChangedState[]> {
    const apIds = silences.map(({ apId }) => apId)
    // First by id, then by monitor: the planner cannot estimate how many agents a monitor has.
    const { rows } = await sql<ChangedState & { isChanged: boolean }>`
      with locked as materialized (
        select ap_id, keeper, state from fleet where ap_id = any(${apIds}) order by ap_id for update
      )
      update fleet set
        state = silence.state, since = now(), last_seen = now() - make_interval(secs => silence.silent_s),
        keeper = case when silence.state <> 'offline' then fleet.keeper end,
        transaction_id = pg_current_xact_id()
      from locked join unnest(
        ${apIds}::text[],
        ${silences.map(({ state }) => state)}::text[],
        ${silences.map(({ silentS }) => silentS)}::double precision[]) as silence (ap_id, state, silent_s)
        on locked.ap_id = silence.ap_id and locked.keeper = ${monitor}
      where fleet.ap_id = locked.ap_id
      returning fleet.ap_id as "apId", fleet.state, locked.state <> fleet.state as "isChanged"
    `.execute(tx)
    return rows.filter(({ isChanged }) => isChanged)
  }

  /** Skips agents that another monitor has claimed meanwhile, or that are offline. */
  async setHealths(
    tx: Executor,
    monitor: string,
    changes: readonly HealthChange[],
  ): Promise<ChangedHealth[]> {
    const apIds = changes.map(({ apId }) => apId)
    // The monitor stays the same: `transaction_id` is for those who look for their agents.
    const { rows } = await sql<ChangedHealth>`
      with locked as materialized (
        select ap_id, keeper, kpi_health from fleet where ap_id = any(${apIds}) order by ap_id for update
      )
      update fleet set
        kpi_health = change.kpi_health, reasons = change.reasons,
        health_since = case when fleet.kpi_health = change.kpi_health then fleet.health_since else now() end
      from locked join unnest(
        ${apIds}::text[],
        ${changes.map(({ kpiHealth }) => kpiHealth)}::text[],
        ${changes.map(({ reasons }) => JSON.stringify(reasons))}::jsonb[]) as change (ap_id, kpi_health, reasons)
        on locked.ap_id = change.ap_id and locked.keeper = ${monitor}
      where fleet.ap_id = locked.ap_id
      returning fleet.ap_id as "apId", locked.kpi_health as "from", fleet.kpi_health as "to", fleet.reasons
    `.execute(tx)
    return rows.filter(({ from, to }) => from !== to)
  }

  /** Agents that changed since the horizon and are not, or no longer, this monitor's. */
  async notMonitoredBy(
    monitor: string,
    horizon = lastHorizon,
  ): Promise<{ apIds: string[]; horizon: Horizon }> {
    const { rows, ...next } = await changesSince<{ apId: string }>(
      this.#postgres,
      {
        name: 'fleet changes',
        table: 'fleet',
        columns: 'ap_id as "apId"',
        where: 'keeper is distinct from $3',
        values: [monitor],
      },
      horizon,
    )
    return { apIds: rows.map(({ apId }) => apId), ...next }
  }

  /** Takes over agents without a monitor and, if `ofDead`, agents whose monitor is dead. */
  async adopt(monitor: string, max: number, ofDead: boolean): Promise<MonitoredRow[]> {
    const orOfDead = ofDead ? sql`or keeper = any(array(${deadMonitors}))` : sql``
    const { rows } = await sql<MonitoredRow>`
      update fleet set keeper = ${monitor}, transaction_id = pg_current_xact_id()
      where ap_id in (
        select ap_id from fleet
        where state <> 'offline' and (keeper is null ${orOfDead})
        limit ${max} for update skip locked)
      returning ${returnedColumns}
    `.execute(this.#postgres.db)
    return rows
  }

  /**
   * Status messages of agents, or their last wills, which the broker publishes. An agent that has connected is online
   * until its samples, or their absence, show more. A last will may arrive after the agent has reconnected: if it has
   * the start of its connection, the newer connection wins; if it has none, the next sample decides.
   */
  async applyStatuses(tx: Executor, statuses: StatusReport[]): Promise<ChangedState[]> {
    const apIds = statuses.map(({ apId }) => apId)
    // Locked in order, so that it cannot deadlock with other changes of the same agents.
    const { rows } = await sql<ChangedState & { isChanged: boolean }>`
      with locked as materialized (
        select ap_id from fleet where ap_id = any(${apIds}) order by ap_id for update
      )
      update fleet set
        state = case when not report.is_disconnect then 'online'
          when report.connected_at is null then 'stale' else 'offline' end,
        since = case when fleet.state = 'online' and not report.is_disconnect then fleet.since else now() end,
        last_seen = case when report.is_disconnect then now() end,
        connected_at = coalesce(report.connected_at, fleet.connected_at),
        keeper = null, transaction_id = pg_current_xact_id()
      from locked join unnest(
        ${apIds}::text[],
        ${statuses.map(({ isDisconnect }) => isDisconnect)}::boolean[],
        ${statuses.map(({ connectedAt }) => connectedAt ?? null)}::timestamptz[])
        as report (ap_id, is_disconnect, connected_at) on report.ap_id = locked.ap_id
      where fleet.ap_id = locked.ap_id
        and (report.connected_at is null or fleet.connected_at is null
          or fleet.connected_at <= report.connected_at)
        and (not report.is_disconnect or fleet.state = 'online'
          or fleet.state = 'stale' and report.connected_at is not null)
      returning fleet.ap_id as "apId", fleet.state, fleet.since = now() as "isChanged"
    `.execute(tx)
    return rows.filter(({ isChanged }) => isChanged)
  }

  /** Agents that an earlier release has placed, with their configurations. Locked until the transaction ends. */
  async undescribed(tx: Executor, max: number): Promise<{ apId: string; configuration: string }[]> {
    const { rows } = await sql<{ apId: string; configuration: string }>`
      select ap_id as "apId", configuration from fleet join agents using (ap_id)
      where (not fleet.is_described or fleet.place is not null and fleet.place_key is null) limit ${max} for update of fleet skip locked
    `.execute(tx)
    return rows
  }

  /** Sets what the releases before did not store. */
  async describe(tx: Executor, agents: readonly PlacedAgent[]): Promise<void> {
    const column = <Name extends keyof PlacedAgent>(name: Name) => agents.map((agent) => agent[name])
    await sql`
      update fleet set name_key = known.name_key, place = known.place, place_key = known.place_key,
        version = known.version, version_key = known.version_key, is_described = true
      from unnest(${column('apId')}::text[], ${column('nameKey')}::text[], ${column('place')}::text[],
        ${column('placeKey')}::text[], ${column('version')}::text[], ${column('versionKey')}::text[])
        as known (ap_id, name_key, place, place_key, version, version_key)
      where fleet.ap_id = known.ap_id
    `.execute(tx)
  }

  /** Triggers of the table add rows to `fleet_counts`: one row for each sum replaces them. */
  async mergeCounts(): Promise<void> {
    await sql`
      with changes as (delete from fleet_counts returning *)
      insert into fleet_counts (technology, state, health, emulated_by, agents)
      select technology, state, health, emulated_by, sum(agents) from changes
      group by technology, state, health, emulated_by having sum(agents) <> 0
    `.execute(this.#postgres.db)
  }
}
