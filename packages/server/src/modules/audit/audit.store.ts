import type { AuditAction } from '@manc/contract'
import { deleteInBatches } from '../../engines/postgres.batches.ts'
import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import { escapeLike } from '../../globs.ts'
import { digestOf } from '../../secrets.ts'

export interface AuditRow {
  id: string
  at: Date
  actorKind: string
  actor: string
  action: string
  target: string
  detail: Record<string, unknown>
  requestId: string | null
}

export interface AuditFilter {
  /** The whole name. */
  actor?: string
  action?: AuditAction
  /** A part of it. */
  target?: string
  from?: Date
  to?: Date
}

export type NewAuditRow = Omit<AuditRow, 'id' | 'at'>

/** PostgreSQL cannot store U+0000 in JSON that it reads. */
const withoutNul = (_key: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value

/** A function, not a method: it only needs the transaction of the change. */
export async function insertAuditRow(tx: Executor, row: NewAuditRow): Promise<void> {
  await tx
    .insertInto('audit')
    .values({
      actor_kind: row.actorKind,
      actor: row.actor,
      action: row.action,
      target: row.target,
      detail: JSON.stringify(row.detail, withoutNul),
      request_id: row.requestId,
    })
    .execute()
}

/** Inserts a row with a count of 1, or increases the count of the row with this key. */
export async function countAuditRow(tx: Executor, row: NewAuditRow, key: string): Promise<void> {
  await sql`
    insert into audit (actor_kind, actor, action, target, detail, request_id, aggregation_key)
    values (${row.actorKind}, ${row.actor}, ${row.action}, ${row.target},
      ${JSON.stringify(row.detail)}::jsonb || jsonb_build_object('count', 1, 'last_at', now()), ${row.requestId},
      ${digestOf(key)})
    on conflict (aggregation_key) where aggregation_key is not null do update set
      detail = audit.detail
        || jsonb_build_object('count', (audit.detail ->> 'count')::bigint + 1, 'last_at', clock_timestamp()),
      exported = false
  `.execute(tx)
}

export class AuditStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /**
   * The newest first. `at` is the start of the transaction and so not unique: the order is by `at` and `id`, as in the
   * indexes.
   */
  async page(filter: AuditFilter, after: string | undefined, limit: number): Promise<AuditRow[]> {
    const { actor, action, target, from, to } = filter
    let rows = this.#postgres.db
      .selectFrom('audit')
      .select(['id', 'at', 'actor_kind as actorKind', 'actor', 'action', 'target', 'detail'])
      .select('request_id as requestId')
    if (actor !== undefined) rows = rows.where('actor', '=', actor)
    if (action !== undefined) rows = rows.where('action', '=', action)
    if (target !== undefined) rows = rows.where('target', 'ilike', `%${escapeLike(target)}%`)
    if (from) rows = rows.where('at', '>=', from)
    // Times are shown in milliseconds: `to` includes its whole millisecond.
    if (to) rows = rows.where('at', '<', new Date(to.getTime() + 1))
    if (after !== undefined)
      rows = rows.where(sql<boolean>`(at, id) < (select at, id from audit where id = ${after})`)
    return rows.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  }

  async deleteOlderThan(days: number): Promise<void> {
    await deleteInBatches(this.#postgres.db, 'audit', sql`at < now() - make_interval(days => ${days})`)
  }
}
