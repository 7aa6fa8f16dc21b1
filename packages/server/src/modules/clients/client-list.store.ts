import { type Postgres, sql } from '../../engines/postgres.ts'
import { escapeLike, likeOfGlob } from '../../globs.ts'
import type {
  ClientFilter,
  ClientPage,
  ClientRow,
  ClientView,
  HistoryPage,
  HistoryRow,
  MeasuredClient,
} from './clients.types.ts'

const columns = sql`id, ap_id as "apId", is_attached as "isAttached", technology, emulated_by as "emulatedBy", since,
  from_ap_id as "fromApId", signal_dbm as "signalDbm", snr_db as "snrDb", rate_mbps as "rateMbps", ended,
  claimed_at as "claimedAt", measured_at as "measuredAt", throughput_mbps as "throughputMbps", heard`

/** Reads clients and their history for callers. */
export class ClientListStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** By id, or those that attached last first. */
  async page(filter: ClientFilter, { sort, after, limit }: ClientPage): Promise<ClientRow[]> {
    const { rows } =
      sort === 'id'
        ? await sql<ClientRow>`
            select ${columns} from clients
            where ${matches(filter)} and ${after ? sql`id > ${after.id}` : sql`true`} order by id limit ${limit}
          `.execute(this.#postgres.db)
        : await sql<ClientRow>`
            select ${columns} from clients
            where ${matches(filter)}
              and ${after ? sql`(since, id) < (${new Date(after.sinceMs)}::timestamptz, ${after.id})` : sql`true`}
            order by since desc, id desc limit ${limit}
          `.execute(this.#postgres.db)
    return rows
  }

  async find(view: ClientView, id: string): Promise<ClientRow | undefined> {
    const { rows } = await sql<ClientRow>`
      select ${columns} from clients where id = ${id} and ${isVisible(view)}
    `.execute(this.#postgres.db)
    return rows[0]
  }

  /** Those that are attached to these access points, with measurements that are not older than this. At most `limit`. */
  async measured(apIds: readonly string[], maxAgeS: number, limit: number): Promise<MeasuredClient[]> {
    const { rows } = await sql<MeasuredClient>`
      select ap_id as "apId", signal_dbm as "signalDbm", snr_db as "snrDb", rate_mbps as "rateMbps",
        throughput_mbps as "throughputMbps", mean_throughput_mbps as "meanMbps", heard
      from clients
      where is_attached and ap_id = any(${apIds}::text[]) and heard is not null
        and measured_at > now() - make_interval(secs => ${maxAgeS})
      order by ap_id, id limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  /** The newest first. */
  async history(id: string, { patterns, from, to, after, limit }: HistoryPage): Promise<HistoryRow[]> {
    const isBefore = after
      ? sql`(recorded_at, seq) < (${new Date(after.recordedMs)}::timestamptz, ${after.seq}::int8)
          and recorded_at <= ${new Date(after.recordedMs)}::timestamptz`
      : sql`true`
    const { rows } = await sql<HistoryRow>`
      select recorded_at as "recordedAt", seq::text as seq, ap_id as "apId", technology, since, until,
        from_ap_id as "fromApId", ended, signal_dbm as "signalDbm", snr_db as "snrDb", rate_mbps as "rateMbps"
      from client_history
      where client_id = ${id} and ${matchesPatterns(patterns)} and ${isBefore}
        and ${from ? sql`recorded_at >= ${from}` : sql`true`} and ${to ? sql`recorded_at <= ${to}` : sql`true`}
      order by recorded_at desc, client_history.seq desc limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }
}

function matches({ view, state, apId, technologies, place, prefix }: ClientFilter) {
  // As a literal, so that the planner knows that the index of attached clients contains all of them.
  const isInState = { attached: sql`is_attached`, detached: sql`not is_attached`, all: sql`true` }[state]
  return sql<boolean>`(${isVisible(view)} and ${isInState}
    and ${apId === undefined ? sql`true` : sql`ap_id = ${apId}`}
    and ${technologies ? sql`technology = any(${technologies}::text[])` : sql`true`}
    and ${place === undefined ? sql`true` : sql`ap_id in (select fleet.ap_id from fleet where fleet.place = ${place})`}
    and ${prefix === undefined ? sql`true` : sql`id like ${`${escapeLike(prefix)}%`}`})`
}

const isVisible = (view: ClientView) =>
  sql<boolean>`(${matchesPatterns(view.patterns)} and ${isShownEmulated(view)})`

const matchesPatterns = (patterns: readonly string[] | undefined) =>
  patterns ? sql<boolean>`ap_id like any(${patterns.map(likeOfGlob)}::text[])` : sql<boolean>`true`

function isShownEmulated({ emulated, owner }: ClientView) {
  if (emulated === 'all') return sql<boolean>`true`
  if (emulated === 'none') return sql<boolean>`(emulated_by is null)`
  return sql<boolean>`(emulated_by is null or emulated_by = ${owner}::uuid)`
}
