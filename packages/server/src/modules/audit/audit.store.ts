import type { AuditAction } from '@manc/contract'
import { type Postgres, sql } from '../../engines/postgres.ts'
import { escapeLike } from '../../globs.ts'

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
  /** Part of it. */
  target?: string
  from?: Date
  to?: Date
}

export class AuditStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /**
   * The newest first. A time is that of its transaction's start: only with the number there is one order, and each index
   * ends in it.
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
    // What is shown of a time ends with its millisecond.
    if (to) rows = rows.where('at', '<', new Date(to.getTime() + 1))
    if (after !== undefined)
      rows = rows.where(sql<boolean>`(at, id) < (select at, id from audit where id = ${after})`)
    return rows.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  }
}
