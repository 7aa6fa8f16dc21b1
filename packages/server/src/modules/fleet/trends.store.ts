import type { Technology, TrendName } from '@manc/contract'
import { deleteInBatches } from '../../engines/postgres.batches.ts'
import { type Postgres, sql } from '../../engines/postgres.ts'
import { type AgentKind, type FleetView, isShownEmulated } from './fleet-list.store.ts'

/** Sums of one technology and, of emulated agents, one owner. */
export interface GroupSums extends AgentKind {
  clients: number | null
  throughput_mbps: number | null
  power_w: number | null
}

/** Counts and sums of one technology in one minute. */
export type TrendRow = { at: Date; technology: Technology } & Record<TrendName, number | null>

const minute = sql`date_trunc('minute', now())`

const hasSums = (row: 'fleet_trends' | 'excluded') =>
  sql`(num_nonnulls(${sql.ref(`${row}.clients`)}, ${sql.ref(`${row}.throughput_mbps`)}, ${sql.ref(`${row}.power_w`)}) > 0)`

export class TrendsStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Whether the current minute is recorded, with its sums. */
  async isRecorded(): Promise<boolean> {
    const { rows } = await sql`
      select 1 from fleet_trends where at = ${minute} and ${hasSums('fleet_trends')} limit 1
    `.execute(this.#postgres.db)
    return rows.length > 0
  }

  /** If this minute is recorded without its sums, only adds them. */
  async record(sums: readonly GroupSums[]): Promise<void> {
    await sql`
      insert into fleet_trends
        (at, technology, emulated_by, online, degraded, bad, offline, clients, throughput_mbps, power_w)
      select ${minute}, counts.technology, counts.emulated_by, online, degraded, bad, offline,
        clients, throughput_mbps, power_w
      from (
        select technology, emulated_by,
          coalesce(sum(agents) filter (where state = 'online'), 0)::int as online,
          coalesce(sum(agents) filter (where health = 'degraded'), 0)::int as degraded,
          coalesce(sum(agents) filter (where health = 'bad'), 0)::int as bad,
          coalesce(sum(agents) filter (where health = 'offline'), 0)::int as offline
        from fleet_counts group by technology, emulated_by having sum(agents) > 0
      ) as counts
      left join jsonb_to_recordset(${JSON.stringify(sums)}::jsonb) as sums (
        technology text, "emulatedBy" uuid, clients float8, throughput_mbps float8, power_w float8
      ) on sums.technology = counts.technology and sums."emulatedBy" is not distinct from counts.emulated_by
      on conflict (at, technology, coalesce(emulated_by, '00000000-0000-0000-0000-000000000000')) do update set
        clients = excluded.clients, throughput_mbps = excluded.throughput_mbps, power_w = excluded.power_w
      where ${hasSums('excluded')} and not ${hasSums('fleet_trends')}
    `.execute(this.#postgres.db)
  }

  /** The recorded minutes from a time on, by technology. */
  async since(from: Date, view: FleetView): Promise<TrendRow[]> {
    const { rows } = await sql<TrendRow>`
      select at, technology, sum(online)::int as online, sum(degraded)::int as degraded, sum(bad)::int as bad,
        sum(offline)::int as offline, sum(clients) as clients, sum(throughput_mbps) as throughput_mbps,
        sum(power_w) as power_w
      from fleet_trends where at >= ${from} and ${isShownEmulated(view)}
      group by at, technology
    `.execute(this.#postgres.db)
    return rows
  }

  /** The start of the current minute, by the clock of the database. */
  async currentMinute(): Promise<Date> {
    const { rows } = await sql<{ at: Date }>`select ${minute} as at`.execute(this.#postgres.db)
    return rows[0]?.at ?? new Date()
  }

  async sweep(): Promise<void> {
    await deleteInBatches(this.#postgres.db, 'fleet_trends', sql`at < now() - interval '2 hours'`)
  }
}
