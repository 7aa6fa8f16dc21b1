import type { EventPosition } from '@manc/contract'
import { timelineNow, transactionNow } from '../../engines/postgres.horizon.ts'
import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import { likeOfGlob } from '../../globs.ts'
import type { EventFilter, EventRow, EventView, NewEvent } from './events.types.ts'
import { pageParts, type TimePart } from './page-parts.rules.ts'

/** Of a row that is changed later. */
export interface EventKey {
  apId: string
  at: Date
  seq: string
}

export interface FollowedPage {
  events: EventRow[]
  /** All events of transactions before this one are committed; those of the page are before it. */
  horizon: EventPosition
  /** It changes with a failover of the database, after which transaction ids may be used again. */
  timeline: number
}

/** No transaction that appends events lasts longer: followers leave out partitions that are older than this. */
const longestTransactionMs = 3_600_000

const columns = sql`at, transaction_id::text as transaction, seq::text as seq, kind, severity, ap_id as "apId",
  emulated_by as "emulatedBy", subject, data`

/** The only writer of the table `events`. Its partitions are created and dropped by the partition store. */
export class EventStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** One statement. Returns the keys of those that are changed later. */
  async insert(tx: Executor, events: readonly NewEvent[]): Promise<EventKey[]> {
    const column = <Name extends keyof NewEvent>(name: Name) => events.map((event) => event[name] ?? null)
    const { rows } = await sql<EventKey>`
      insert into events (kind, severity, ap_id, emulated_by, subject, data)
      select kind, severity, ap_id, coalesce(owner, fleet.emulated_by), subject, data
      from unnest(${column('kind')}::text[], ${column('severity')}::text[], ${column('apId')}::text[],
        ${column('emulatedBy')}::uuid[], ${column('subject')}::text[],
        ${events.map(({ data }) => JSON.stringify(data))}::jsonb[])
        with ordinality as new (kind, severity, ap_id, owner, subject, data, n)
      left join fleet using (ap_id) order by n
      returning ap_id as "apId", at, seq::text as seq, kind = 'suppressed' as "isCounting"
    `.execute(tx)
    return (rows as (EventKey & { isCounting: boolean })[]).filter(({ isCounting }) => isCounting)
  }

  /** How many events the event with this key stands for. */
  async setCounts(counts: readonly { key: EventKey; count: number }[]): Promise<void> {
    await sql`
      update events set data = data || jsonb_build_object('count', counted.count)
      from unnest(${counts.map(({ key }) => key.at)}::timestamptz[], ${counts.map(({ key }) => key.seq)}::int8[],
        ${counts.map(({ count }) => count)}::int8[]) as counted (at, seq, count)
      where events.at = counted.at and events.seq = counted.seq
    `.execute(this.#postgres.db)
  }

  /** The newest first. Days are read only until there are enough events: a statement opens all partitions of its time. */
  async page(filter: EventFilter, after: EventPosition | undefined, limit: number): Promise<EventRow[]> {
    const lastMs = Math.min(after?.atMs ?? Date.now(), filter.to?.getTime() ?? Number.POSITIVE_INFINITY)
    const events: EventRow[] = []
    for (const part of pageParts(lastMs, filter.from?.getTime())) {
      events.push(...(await this.#pageOf(filter, { after, part, limit: limit - events.length })))
      if (events.length >= limit) break
    }
    return events
  }

  async #pageOf(
    filter: EventFilter,
    { after, part, limit }: { after: EventPosition | undefined; part: TimePart; limit: number },
  ): Promise<EventRow[]> {
    const { apId, kinds } = filter
    // With the name of the table: `seq` alone is the text in the result.
    const order = sql`order by events.at desc, events.seq desc limit ${limit}`
    const matching = sql`${matches(filter)} and ${isBefore(after)} and ${isIn(part)}`
    // For each kind its newest events: no scan of all the others.
    const { rows } =
      kinds && apId === undefined
        ? await sql<EventRow>`
            select ${columns} from unnest(${[...new Set(kinds)]}::text[]) as wanted cross join lateral (
              select * from events where kind = wanted and ${matching} ${order}) as events ${order}
          `.execute(this.#postgres.db)
        : await sql<EventRow>`
            select ${columns} from events
            where ${apId === undefined ? sql`true` : sql`ap_id = ${apId}`}
              and ${kinds ? sql`kind = any(${kinds}::text[])` : sql`true`} and ${matching} ${order}
          `.execute(this.#postgres.db)
    return rows
  }

  /**
   * The events after a position in the order of their transactions, up to the oldest transaction that is still running.
   * Later commits are all behind that one: nothing is skipped, and nothing is found twice. Without a position: none, and the
   * horizon to begin with.
   */
  async following(after: EventPosition | undefined, limit: number): Promise<FollowedPage> {
    const isAfter = after
      ? sql`(transaction_id, seq) > (${after.transaction.toString()}::xid8, ${after.seq.toString()}::int8)
          and transaction_id < (select horizon from now)
          and at >= ${new Date(after.atMs - longestTransactionMs)}`
      : sql`false`
    const { rows } = await sql<Nullable<EventRow> & { horizonText: string; nowAt: Date; timeline: number }>`
      with now as materialized (select ${transactionNow}::xid8 as horizon)
      select now.horizon::text as "horizonText", date_trunc('milliseconds', now()) as "nowAt",
        ${timelineNow} as timeline, found.*
      from now left join (
        select ${columns}, transaction_id, seq as number from events
        where ${isAfter} order by transaction_id, events.seq limit ${limit}
      ) as found on true
      order by found.transaction_id, found.number
    `.execute(this.#postgres.db)
    const [now] = rows
    if (!now) throw new Error('the query of following events returned no row')
    return {
      events: rows.filter((row): row is typeof row & EventRow => row.kind !== null),
      horizon: { atMs: now.nowAt.getTime(), transaction: BigInt(now.horizonText), seq: 0n },
      timeline: now.timeline,
    }
  }

  /** Whether all events after this position can be found: it is of this database, and not expired. */
  async isKnown({ atMs, transaction, seq }: EventPosition, retentionDays: number): Promise<boolean> {
    const at = new Date(atMs)
    const { rows } = await sql<{ isKnown: boolean }>`
      select ${at}::timestamptz > now() - make_interval(days => ${retentionDays})
        and ${transaction.toString()}::xid8 <= pg_snapshot_xmax(pg_current_snapshot())
        and (${seq.toString()}::int8 = 0 or exists (
          select from events where at = ${at} and seq = ${seq.toString()}::int8
            and transaction_id = ${transaction.toString()}::xid8)) as "isKnown"
    `.execute(this.#postgres.db)
    return rows[0]?.isKnown ?? false
  }

  /** Expired rows of the default partition, at most `max`. Returns how many. */
  async deleteOther(keepS: number, max: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from events_other where ctid = any(array(
        select ctid from events_other where at < now() - make_interval(secs => ${keepS}) limit ${max}))
    `.execute(this.#postgres.db)
    return Number(numAffectedRows)
  }
}

type Nullable<T> = { [Name in keyof T]: T[Name] | null }

/** Twice, since the planner excludes no partition by the pair. */
const isBefore = (after: EventPosition | undefined) =>
  after
    ? sql`(at, seq) < (${new Date(after.atMs)}::timestamptz, ${after.seq.toString()}::int8)
        and at <= ${new Date(after.atMs)}::timestamptz`
    : sql`true`

const isIn = ({ from, to }: TimePart) =>
  sql`(${from ? sql`at >= ${from}` : sql`true`} and ${to ? sql`at < ${to}` : sql`true`})`

function matches({ view, severities, from, to }: EventFilter) {
  // As a literal, so that the planner knows that the index of notable events contains all of them.
  const isNotable = severities && !severities.includes('info') ? sql`severity <> 'info'` : sql`true`
  return sql`(${isVisible(view)} and ${isNotable}
    and ${severities ? sql`severity = any(${severities}::text[])` : sql`true`}
    and ${from ? sql`at >= ${from}` : sql`true`} and ${to ? sql`at <= ${to}` : sql`true`})`
}

function isVisible({ patterns, emulated, owner, hiddenKinds }: EventView) {
  const isOfAgents = patterns
    ? sql`(ap_id like any(${patterns.map(likeOfGlob)}::text[]) or (ap_id is null and emulated_by = ${owner}::uuid))`
    : sql`true`
  const isShownEmulated =
    emulated === 'all'
      ? sql`true`
      : emulated === 'none'
        ? sql`emulated_by is null`
        : sql`(emulated_by is null or emulated_by = ${owner}::uuid)`
  return sql`(${isOfAgents} and ${isShownEmulated}
    and kind <> all(${hiddenKinds}::text[]))`
}
