import type { AgentState, Box, FleetMark, Technology } from '@manc/contract'
import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import { escapeLike, likeOfGlob } from '../../globs.ts'
import type { Placement } from './placement.ts'

export interface FleetAgent {
  apId: string
  name: string | null
  technology: Technology
  state: AgentState
  since: Date
  lastSeen: Date | null
  latitude: number | null
  longitude: number | null
  intervalS: number
}

export interface Count {
  technology: Technology
  state: AgentState
  agents: number
}

/** Which agents are asked for. */
export interface FleetFilter {
  ids?: readonly string[]
  /** Patterns of ids; undefined: all. */
  seen: readonly string[] | undefined
  box?: Box
  technologies?: readonly Technology[]
  states?: readonly AgentState[]
  /** Part of the id or name. */
  text?: string
}

export interface FleetNews {
  agents: FleetAgent[]
  removed: string[]
  isComplete: boolean
  next: Omit<FleetMark, 'view'>
}

const mostChanges = 5000
const followedForS = 1800

export class FleetStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** With a new interval, whoever keeps the agent has to learn of it: nobody keeps it until somebody has. */
  async place(tx: Executor, apId: string, placement: Placement): Promise<void> {
    const { name, technology, latitude, longitude, intervalS } = placement
    await sql`
      insert into fleet (ap_id, name, technology, latitude, longitude, interval_s)
      values (${apId}, ${name}, ${technology}, ${latitude}, ${longitude}, ${intervalS})
      on conflict (ap_id) do update set
        name = excluded.name, technology = excluded.technology,
        latitude = excluded.latitude, longitude = excluded.longitude, interval_s = excluded.interval_s,
        keeper = case when fleet.interval_s = excluded.interval_s then fleet.keeper end,
        transaction_id = pg_current_xact_id()
    `.execute(tx)
  }

  async counts(seen: FleetFilter['seen']): Promise<Count[]> {
    return this.#postgres.db
      .selectFrom('fleet')
      .select(['technology', 'state', sql<number>`count(*)::int`.as('agents')])
      .where(isSeen(seen))
      .groupBy(['technology', 'state'])
      .execute()
  }

  async technologies(): Promise<Map<string, Technology>> {
    const rows = await this.#postgres.db.selectFrom('fleet').select(['ap_id', 'technology']).execute()
    return new Map(rows.map((row) => [row.ap_id, row.technology]))
  }

  /** Up to when all agents have been judged. */
  async judgedAt(): Promise<Date | null> {
    const { judgedAt } = await this.#postgres.db
      .selectFrom('fleet_keepers')
      .select((eb) => eb.fn.min<Date | null>('judged_at').as('judgedAt'))
      .executeTakeFirstOrThrow()
    return judgedAt
  }

  async page(filter: FleetFilter, after: string, limit: number): Promise<FleetAgent[]> {
    return this.#postgres.db
      .selectFrom('fleet')
      .select(['ap_id as apId', 'name', 'technology', 'state', 'since', 'last_seen as lastSeen'])
      .select(['latitude', 'longitude', 'interval_s as intervalS'])
      .where('ap_id', '>', after)
      .where(fits(filter))
      .orderBy('ap_id')
      .limit(limit)
      .execute()
  }

  /**
   * What was written by transactions from this one on, and the oldest that is still under way, from which to ask the next
   * time: by then it may have committed. Rows of a restored database may carry numbers that are yet to come.
   */
  async changes(seen: FleetFilter['seen'], after: FleetMark | undefined): Promise<FleetNews> {
    const { transaction = null, atS = null, table = null } = after ?? {}
    const isNew = sql`(select "isKnown" from now) and transaction_id >= ${transaction}::xid8
      and transaction_id < (select newest from now) and ${isSeen(seen)}`
    const { rows } = await sql<Moment & Nulls<FleetAgent>>`
      with now as materialized (
        select
          pg_snapshot_xmin(pg_current_snapshot())::text as transaction,
          pg_snapshot_xmax(pg_current_snapshot()) as newest,
          extract(epoch from now())::int8::float8 as "atS",
          'fleet'::regclass::oid::text as "table",
          ${transaction}::xid8 <= pg_snapshot_xmax(pg_current_snapshot())
            and ${atS}::float8 > extract(epoch from now()) - ${followedForS}
            and ${table}::text = 'fleet'::regclass::oid::text as "isKnown"
      )
      select now.transaction, now."atS", now."table", now."isKnown", news.*
      from now left join (
        (
          select false as "isGone", ap_id as "apId", name, technology, state, since, last_seen as "lastSeen",
            latitude, longitude, interval_s as "intervalS"
          from fleet where ${isNew} limit ${mostChanges + 1}
        ) union all (
          select true, ap_id, null, null, null, null, null, null, null, null from fleet_gone
          where ${isNew} and not exists (select from fleet where fleet.ap_id = fleet_gone.ap_id)
          limit ${mostChanges + 1}
        )
      ) as news on true
    `.execute(this.#postgres.db)
    const [now] = rows
    if (!now) throw new Error('a moment without a row')
    const agents = rows.filter((row): row is typeof row & FleetAgent => row.isGone === false)
    const removed = rows.flatMap(({ isGone, apId }) => (isGone && apId !== null ? [apId] : []))
    const isComplete = (now.isKnown ?? true) && Math.max(agents.length, removed.length) <= mostChanges
    return {
      agents: isComplete ? agents : [],
      removed: isComplete ? removed : [],
      isComplete,
      next: { transaction: now.transaction, atS: now.atS, table: now.table },
    }
  }

  /** Kept for longer than anybody is told of them; some at a time, however many there are. */
  async sweep(): Promise<void> {
    await sql`
      delete from fleet_gone where ctid = any(array(
        select ctid from fleet_gone where gone_at < now() - make_interval(secs => ${2 * followedForS}) limit 20000))
    `.execute(this.#postgres.db)
  }

  /** In the order of their ids, with their configurations. */
  async choose(filter: FleetFilter, limit: number): Promise<{ apId: string; configuration: string }[]> {
    const { rows } = await sql<{ apId: string; configuration: string }>`
      select ap_id as "apId", configuration from agents left join fleet using (ap_id)
      where ${fits(filter)} order by ap_id limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }
}

interface Moment extends Omit<FleetMark, 'view'> {
  /** Null where nothing is asked for. */
  isKnown: boolean | null
  isGone: boolean | null
}

type Nulls<T> = { [Name in keyof T]: T[Name] | null }

function fits({ ids, seen, box, technologies, states, text }: FleetFilter) {
  const like = `%${escapeLike(text ?? '')}%`
  return sql<boolean>`(${isSeen(seen)}
    and ${ids ? sql`ap_id = any(${ids}::text[])` : sql`true`}
    and ${box ? isIn(box) : sql`true`}
    and ${technologies ? sql`technology = any(${technologies}::text[])` : sql`true`}
    and ${states ? sql`state = any(${states}::text[])` : sql`true`}
    and ${text === undefined ? sql`true` : sql`(ap_id ilike ${like} or name ilike ${like})`})`
}

const isSeen = (patterns: FleetFilter['seen']) =>
  patterns ? sql<boolean>`ap_id like any(${patterns.map(likeOfGlob)}::text[])` : sql<boolean>`true`

function isIn({ west, south, east, north }: Box) {
  const within = (from: number, to: number) =>
    sql<boolean>`point(longitude, latitude) <@ box(point(${from}, ${south}), point(${to}, ${north}))`
  return west <= east ? within(west, east) : sql<boolean>`(${within(west, 180)} or ${within(-180, east)})`
}
