import type { FleetMark } from '@manc/contract'
import { timelineNow, transactionNow } from '../../engines/postgres.horizon.ts'
import { type Postgres, sql } from '../../engines/postgres.ts'
import {
  agentColumnCount,
  agentColumns,
  type FleetAgent,
  type FleetView,
  isVisible,
} from './fleet-list.store.ts'

export interface FleetChanges {
  agents: FleetAgent[]
  removed: string[]
  /** False: there are too many changes, or the mark is too old; the caller has to read the list again. */
  isComplete: boolean
  next: Omit<FleetMark, 'view'>
}

const maxChanges = 5000
/** How long a mark is good for. */
const markLifetimeS = 1800
const sweepBatch = 20_000
/** Of the table and the timeline of the database, as a number of up to ten digits. */
const tableIdentity = sql<string>`(('fleet'::regclass::oid::int8 + (${timelineNow}::int8 << 20)) % 4294967296)::text`

/**
 * What changed in the table `fleet` since a mark. Deleted rows are in `fleet_gone`, which a trigger fills and this
 * store sweeps.
 */
export class FleetChangesStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /**
   * A mark is a horizon (see postgres.horizon.ts), the time and the identity of the table, so that one from before a
   * failover or a restored backup is recognized. Rows of a restored database may have transaction ids that are still to come: they
   * are not changes.
   */
  async since(mark: FleetMark | undefined, view: FleetView): Promise<FleetChanges> {
    const { transaction = null, atS = null, table = null } = mark ?? {}
    const isIn = (
      column: string,
    ) => sql`(select "isKnown" from now) and ${sql.ref(column)} >= ${transaction}::xid8
      and ${sql.ref(column)} < (select newest from now) and ${isVisible(view)}`
    const { rows } = await sql<Now & Nullable<FleetAgent>>`
      with now as materialized (
        select
          ${transactionNow} as transaction,
          pg_snapshot_xmax(pg_current_snapshot()) as newest,
          extract(epoch from now())::int8::float8 as "atS",
          ${tableIdentity} as "table",
          ${transaction}::xid8 <= pg_snapshot_xmax(pg_current_snapshot())
            and ${atS}::float8 > extract(epoch from now()) - ${markLifetimeS}
            and ${table}::text = ${tableIdentity} as "isKnown"
      )
      select now.transaction, now."atS", now."table", now."isKnown", changed.*
      from now left join (
        (
          select false as "isRemoved", ${agentColumns} from fleet where ${isIn('changed_in')} limit ${maxChanges + 1}
        ) union all (
          select true, ap_id, ${nulls(agentColumnCount - 1)} from fleet_gone
          where ${isIn('transaction_id')} and not exists (select from fleet where fleet.ap_id = fleet_gone.ap_id)
          limit ${maxChanges + 1}
        )
      ) as changed on true
    `.execute(this.#postgres.db)
    const [now] = rows
    if (!now) throw new Error('the query of fleet changes returned no row')
    const agents = rows.filter((row): row is typeof row & FleetAgent => row.isRemoved === false)
    const removed = rows.flatMap(({ isRemoved, apId }) => (isRemoved && apId !== null ? [apId] : []))
    const isComplete = (now.isKnown ?? true) && Math.max(agents.length, removed.length) <= maxChanges
    return {
      agents: isComplete ? agents : [],
      removed: isComplete ? removed : [],
      isComplete,
      next: { transaction: now.transaction, atS: now.atS, table: now.table },
    }
  }

  /** Removed agents are kept for longer than any mark is good for. */
  async sweep(): Promise<void> {
    await sql`
      delete from fleet_gone where ctid = any(array(
        select ctid from fleet_gone where gone_at < now() - make_interval(secs => ${2 * markLifetimeS})
        limit ${sweepBatch}))
    `.execute(this.#postgres.db)
  }
}

interface Now extends Omit<FleetMark, 'view'> {
  /** Whether changes since the mark are complete; null without a mark. */
  isKnown: boolean | null
  isRemoved: boolean | null
}

const nulls = (count: number) => sql.join(Array.from({ length: count }, () => sql`null`))

type Nullable<T> = { [Name in keyof T]: T[Name] | null }
