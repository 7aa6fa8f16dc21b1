import type { AttachmentEnd, Technology } from '@manc/contract'
import { type Executor, type Postgres, sql, type Tx } from '../../engines/postgres.ts'
import {
  type ChangedClient,
  type ClientRow,
  type EndedAttachment,
  meanOverS,
  type ReportingAccessPoint,
} from './clients.types.ts'

/** Without the measurement itself, which reports do not depend on: `write` keeps it while its time is the same. */
const columns = sql`id, ap_id as "apId", is_attached as "isAttached", technology, emulated_by as "emulatedBy", since,
  from_ap_id as "fromApId", signal_dbm as "signalDbm", snr_db as "snrDb", rate_mbps as "rateMbps", ended,
  claimed_at as "claimedAt", measured_at as "measuredAt", null::real as "throughputMbps", null::jsonb as heard`

/** What a report needs of its agent. */
interface AgentKind {
  technology: Technology
  /** Owner of its emulation; null for an agent that is not emulated. */
  emulatedBy: string | null
}

/** An access point whose clients have to be detached. */
interface GoneAccessPoint {
  apId: string
  ended: AttachmentEnd
}

/**
 * The only writer of the tables `clients`, `client_history`, `client_access_points` and `client_keys`. Changes come in
 * batches, one statement for each table.
 */
export class ClientStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /**
   * One writer at a time, until the end of the transaction. Usually there is only one: the queue has a single active
   * consumer. Then no row that was read can change before it is written.
   */
  async lock(tx: Tx): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtext('clients'))`.execute(tx)
  }

  /** By id, without agents that are not registered. */
  async agentKinds(apIds: readonly string[]): Promise<Map<string, AgentKind>> {
    const { rows } = await sql<AgentKind & { apId: string }>`
      select ap_id as "apId", technology, emulated_by as "emulatedBy" from fleet where ap_id = any(${apIds}::text[])
    `.execute(this.#postgres.db)
    return new Map(rows.map(({ apId, ...kind }) => [apId, kind]))
  }

  /** These clients, and all that are attached to these access points. */
  async load(tx: Tx, ids: readonly string[], apIds: readonly string[]): Promise<ClientRow[]> {
    const { rows } = await sql<ClientRow>`
      select ${columns} from clients where id = any(${ids}::text[])
      union
      select ${columns} from clients where is_attached and ap_id = any(${apIds}::text[])
    `.execute(tx)
    return rows
  }

  async accessPoints(tx: Tx, apIds: readonly string[]): Promise<ReportingAccessPoint[]> {
    const { rows } = await sql<ReportingAccessPoint>`
      select ap_id as "apId", clients, reported_at as "reportedAt", snapshot_at as "snapshotAt"
      from client_access_points where ap_id = any(${apIds}::text[])
    `.execute(tx)
    return rows
  }

  async write(tx: Tx, clients: readonly ChangedClient[]): Promise<void> {
    const column = <Name extends keyof ChangedClient>(name: Name) => clients.map((client) => client[name])
    await sql`
      insert into clients (id, sealed_name, ap_id, is_attached, technology, emulated_by, since, from_ap_id, signal_dbm,
        snr_db, rate_mbps, ended, claimed_at, measured_at, throughput_mbps, heard, mean_throughput_mbps)
      select * from unnest(${column('id')}::text[], ${column('sealedName')}::bytea[], ${column('apId')}::text[],
        ${column('isAttached')}::boolean[], ${column('technology')}::text[], ${column('emulatedBy')}::uuid[],
        ${column('since')}::timestamptz[], ${column('fromApId')}::text[], ${column('signalDbm')}::real[],
        ${column('snrDb')}::real[], ${column('rateMbps')}::real[], ${column('ended')}::text[],
        ${column('claimedAt')}::timestamptz[], ${column('measuredAt')}::timestamptz[],
        ${column('throughputMbps')}::real[], ${heardOf(clients)}::jsonb[], ${column('throughputMbps')}::real[])
      on conflict (id) do update set
        sealed_name = coalesce(clients.sealed_name, excluded.sealed_name), ap_id = excluded.ap_id,
        is_attached = excluded.is_attached, technology = excluded.technology, emulated_by = excluded.emulated_by,
        since = excluded.since, from_ap_id = excluded.from_ap_id, signal_dbm = excluded.signal_dbm,
        snr_db = excluded.snr_db, rate_mbps = excluded.rate_mbps, ended = excluded.ended, claimed_at = excluded.claimed_at,
        measured_at = excluded.measured_at,
        throughput_mbps = case when ${isSameMeasurement} then clients.throughput_mbps else excluded.throughput_mbps end,
        heard = case when ${isSameMeasurement} then clients.heard else excluded.heard end,
        mean_throughput_mbps = case when ${isSameMeasurement} or excluded.throughput_mbps is null
          then clients.mean_throughput_mbps else ${meanThroughput} end
    `.execute(tx)
  }

  async appendHistory(tx: Tx, ended: readonly EndedAttachment[]): Promise<void> {
    const column = <Name extends keyof EndedAttachment>(name: Name) => ended.map((each) => each[name])
    await sql`
      insert into client_history (client_id, ap_id, technology, since, until, from_ap_id, ended, signal_dbm, snr_db,
        rate_mbps)
      select client_id, ap_id, technology, since, until, from_ap_id, ended, signal_dbm, snr_db, rate_mbps
      from unnest(${column('clientId')}::text[], ${column('apId')}::text[], ${column('technology')}::text[],
        ${column('since')}::timestamptz[], ${column('until')}::timestamptz[], ${column('fromApId')}::text[],
        ${column('ended')}::text[], ${column('signalDbm')}::real[], ${column('snrDb')}::real[],
        ${column('rateMbps')}::real[]) with ordinality
        as new (client_id, ap_id, technology, since, until, from_ap_id, ended, signal_dbm, snr_db, rate_mbps, n)
      order by n
    `.execute(tx)
  }

  async writeAccessPoints(tx: Tx, accessPoints: readonly ReportingAccessPoint[]): Promise<void> {
    await sql`
      insert into client_access_points (ap_id, clients, reported_at, snapshot_at)
      select * from unnest(${accessPoints.map(({ apId }) => apId)}::text[],
        ${accessPoints.map(({ clients }) => clients)}::int[],
        ${accessPoints.map(({ reportedAt }) => reportedAt)}::timestamptz[],
        ${accessPoints.map(({ snapshotAt }) => snapshotAt)}::timestamptz[])
      on conflict (ap_id) do update set
        clients = excluded.clients, reported_at = excluded.reported_at, snapshot_at = excluded.snapshot_at
    `.execute(tx)
  }

  /**
   * Access points that were removed, that went offline after their last report, or that report no more. The newest report of
   * all is the clock for the last ones: while reports wait in the queue, none is taken for silent.
   */
  async gone(silentS: number, limit: number): Promise<GoneAccessPoint[]> {
    const { rows } = await sql<GoneAccessPoint>`
      select ap_id as "apId", case when fleet.ap_id is null then 'agent_removed'
        when fleet.state = 'offline' and fleet.since > reported_at then 'offline' else 'silent' end as ended
      from client_access_points left join fleet using (ap_id)
      where fleet.ap_id is null or fleet.state = 'offline' and fleet.since > reported_at
        or reported_at < (select max(reported_at) from client_access_points) - make_interval(secs => ${silentS})
      limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  /** Detaches at most `max` clients of an access point. Returns how many. */
  async detachAll(tx: Tx, { apId, ended }: GoneAccessPoint, max: number): Promise<number> {
    const { rows } = await sql<{ detached: number }>`
      with before as materialized (
        select * from clients where is_attached and ap_id = ${apId} order by id limit ${max}
      ), detached as (
        update clients set is_attached = false, ended = ${ended}, since = greatest(clients.since, ${now}),
          claimed_at = ${now}
        from before where clients.id = before.id
      ), recorded as (
        insert into client_history (client_id, ap_id, technology, since, until, from_ap_id, ended, signal_dbm, snr_db,
          rate_mbps)
        select id, ap_id, technology, since, greatest(since, ${now}), from_ap_id, ${ended}, signal_dbm, snr_db, rate_mbps
        from before
      )
      select count(*)::int as detached from before
    `.execute(tx)
    return rows[0]?.detached ?? 0
  }

  /** All of its clients are detached. */
  async forget(tx: Tx, apId: string): Promise<void> {
    await sql`delete from client_access_points where ap_id = ${apId}`.execute(tx)
  }

  /** Clients that have been gone for longer than this; emulated ones are not of interest as long. Returns how many. */
  async deleteGone(keepS: number, keepEmulatedS: number, max: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from clients where not is_attached and id = any(array(
        select id from clients
        where not is_attached and since < now() - make_interval(secs => ${Math.min(keepS, keepEmulatedS)})
          and (emulated_by is not null or since < now() - make_interval(secs => ${keepS}))
        order by since limit ${max}))
    `.execute(this.#postgres.db)
    return Number(numAffectedRows)
  }

  /** Expired rows of the default partition, at most `max`. Returns how many. */
  async deleteOther(keepS: number, max: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from client_history_other where ctid = any(array(
        select ctid from client_history_other where recorded_at < now() - make_interval(secs => ${keepS}) limit ${max}))
    `.execute(this.#postgres.db)
    return Number(numAffectedRows)
  }

  /** The number of clients that are attached. */
  async attached(): Promise<number> {
    const { rows } = await sql<{ clients: number }>`
      select coalesce(sum(clients), 0)::int as clients from client_access_points
    `.execute(this.#postgres.db)
    return rows[0]?.clients ?? 0
  }

  /** The encrypted names of these clients, by id. Without those whose id is the name. */
  async sealedNames(ids: readonly string[]): Promise<Map<string, Buffer>> {
    const { rows } = await sql<{ id: string; name: Buffer }>`
      select id, sealed_name as name from clients where id = any(${ids}::text[]) and sealed_name is not null
    `.execute(this.#postgres.db)
    return new Map(rows.map(({ id, name }) => [id, name]))
  }

  async findKey(): Promise<Buffer | undefined> {
    const { rows } = await sql<{ sealed: Buffer }>`select sealed from client_keys`.execute(this.#postgres.db)
    return rows[0]?.sealed
  }

  /** The first one is kept, whichever process has added it. */
  async addKey(sealed: Buffer): Promise<void> {
    await sql`insert into client_keys (sealed) values (${sealed}) on conflict do nothing`.execute(
      this.#postgres.db,
    )
  }

  async replaceKey(tx: Executor, from: Buffer, to: Buffer): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      update client_keys set sealed = ${to} where sealed = ${from}
    `.execute(tx)
    return numAffectedRows > 0n
  }
}

/** In milliseconds, like the times of agents. */
const now = sql`date_trunc('milliseconds', now())`

const isSameMeasurement = sql`excluded.measured_at is not distinct from clients.measured_at`

/**
 * A running mean: the weight of a measurement is that of the time since the one before. After a move there is no time; then it
 * is about that between two snapshots.
 */
const meanThroughput = sql`coalesce(clients.mean_throughput_mbps + (excluded.throughput_mbps - clients.mean_throughput_mbps)
  * (1 - exp(-greatest(0, least(3600, coalesce(extract(epoch from excluded.measured_at - clients.measured_at)::float8, 20)))
    / ${meanOverS})), excluded.throughput_mbps)`

/** As JSON texts. */
const heardOf = (clients: readonly ChangedClient[]): (string | null)[] =>
  clients.map(({ heard }) => (heard === null ? null : JSON.stringify(heard)))
