import type { TableMetric, TableSort } from '@manc/contract'
import { type Postgres, sql } from '../../engines/postgres.ts'
import { agentColumns, type FleetAgent, type FleetFilter, healthRank, matches } from './fleet-list.store.ts'

/** Columns that the database can order. */
export type StoredSort = Exclude<TableSort, TableMetric>

export interface TableRow extends FleetAgent {
  place: string | null
  version: string | null
  isEmulated: boolean
}

const rowColumns = sql`${agentColumns}, place, version, emulated_by is not null as "isEmulated"`

/** An agent that is online is seen now. */
const lastSeen = sql`case when state = 'online' then 'infinity'::timestamptz else last_seen end`

/** Ids are last: they make the order complete. */
const keys: Record<Exclude<StoredSort, 'ap_id'>, ReturnType<typeof sql>> = {
  health: healthRank,
  name: sql`name_key`,
  technology: sql`technology`,
  place: sql`place_key`,
  state: sql`case state when 'online' then 0 when 'stale' then 1 else 2 end`,
  last_seen: lastSeen,
  version: sql`version_key`,
}
const hasNoNulls: ReadonlySet<StoredSort> = new Set(['health', 'technology', 'state'])

type Condition = ReturnType<typeof sql<boolean>>

export interface Window {
  offset: number
  limit: number
}

/** Reads the table `fleet` for the table of access points. */
export class FleetTableStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Rows without a value of the column are last in both orders. */
  async page(
    filter: FleetFilter,
    sort: StoredSort,
    isDescending: boolean,
    window: Window,
  ): Promise<TableRow[]> {
    const order = orderOf(sort, isDescending)
    // An index has the nulls last, or first if it is read backwards.
    if (!isDescending || sort === 'ap_id' || hasNoNulls.has(sort))
      return this.#page(matches(filter), order, window)
    const key = keys[sort]
    const hasValue = sql<boolean>`${matches(filter)} and ${key} is not null`
    const { offset, limit } = window
    const rows = await this.#page(hasValue, order, window)
    if (rows.length === limit) return rows
    const skipped = rows.length > 0 || offset === 0 ? 0 : offset - (await this.#count(hasValue))
    const others = { offset: skipped, limit: limit - rows.length }
    return [...rows, ...(await this.#page(sql`${matches(filter)} and ${key} is null`, order, others))]
  }

  /** Only ids are sorted: whole rows would not fit in the memory for a sort, and an index has no others. */
  async #page(
    condition: Condition,
    order: ReturnType<typeof sql>,
    { offset, limit }: Window,
  ): Promise<TableRow[]> {
    const { rows } = await sql<TableRow>`
      select ${rowColumns} from unnest(array(
        select ap_id from fleet where ${condition} order by ${order} limit ${limit} offset ${offset}
      )) with ordinality as page (ap_id, position) join fleet using (ap_id) order by position
    `.execute(this.#postgres.db)
    return rows
  }

  count(filter: FleetFilter): Promise<number> {
    return this.#count(matches(filter))
  }

  async #count(condition: Condition): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from fleet where ${condition}
    `.execute(this.#postgres.db)
    return rows[0]?.count ?? 0
  }

  /** All that match, ordered by id. As one text: a row for each would cost ten times as much. */
  async ids(filter: FleetFilter): Promise<string[]> {
    const { rows } = await sql<{ ids: string | null }>`
      select string_agg(ap_id, E'\n' order by ap_id) as ids from fleet where ${matches(filter)}
    `.execute(this.#postgres.db)
    return rows[0]?.ids?.split('\n') ?? []
  }

  async ownsEmulated(owner: string): Promise<boolean> {
    const { rows } = await sql<{ isOwner: boolean }>`
      select coalesce(sum(agents), 0) > 0 as "isOwner" from fleet_counts where emulated_by = ${owner}::uuid
    `.execute(this.#postgres.db)
    return rows[0]?.isOwner ?? false
  }

  /** In the order of the ids, without those that do not exist any more. */
  async rows(apIds: readonly string[]): Promise<TableRow[]> {
    const { rows } = await sql<TableRow>`
      select ${rowColumns} from fleet where ap_id = any(${apIds}::text[])
    `.execute(this.#postgres.db)
    const byId = new Map(rows.map((row) => [row.apId, row]))
    return apIds.flatMap((apId) => byId.get(apId) ?? [])
  }
}

/** The text of an expression is that of its index in postgres.indexes.ts, which is not used otherwise. */
function orderOf(sort: StoredSort, isDescending: boolean) {
  const direction = isDescending ? sql`desc` : sql`asc`
  return sort === 'ap_id' ? sql`ap_id ${direction}` : sql`${keys[sort]} ${direction}, ap_id ${direction}`
}
