import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import type { NewRoute, RouteRow } from './notifications.types.ts'

/** The only writer of the table `notification_routes`. */
export class RouteStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async all(db: Executor = this.#postgres.db): Promise<RouteRow[]> {
    return db.selectFrom('notification_routes').select(rowColumns).orderBy('name').orderBy('id').execute()
  }

  async find(db: Executor, id: string): Promise<RouteRow | undefined> {
    return db.selectFrom('notification_routes').select(rowColumns).where('id', '=', id).executeTakeFirst()
  }

  /** Locks the count: of two requests at the limit, one is refused. */
  async count(tx: Executor): Promise<number> {
    await sql`select pg_advisory_xact_lock(hashtext('notification_routes'))`.execute(tx)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from notification_routes`.execute(tx)
    return rows[0]?.n ?? 0
  }

  /** Names of routes that send to the receiver. They cannot change until the end of the transaction. */
  async namesOf(tx: Executor, receiverId: string): Promise<string[]> {
    const rows = await tx
      .selectFrom('notification_routes')
      .select('name')
      .where((where) =>
        where.or([where('receiver_id', '=', receiverId), where('escalate_to', '=', receiverId)]),
      )
      .orderBy('name')
      .forUpdate()
      .execute()
    return rows.map(({ name }) => name)
  }

  async insert(tx: Executor, route: NewRoute): Promise<RouteRow> {
    return tx
      .insertInto('notification_routes')
      .values({ id: route.id, ...valuesOf(route) })
      .returning(rowColumns)
      .executeTakeFirstOrThrow()
  }

  /** Undefined if there is no such route. */
  async update(tx: Executor, route: NewRoute): Promise<RouteRow | undefined> {
    return tx
      .updateTable('notification_routes')
      .set({ ...valuesOf(route), updated_at: sql<Date>`now()` })
      .where('id', '=', route.id)
      .returning(rowColumns)
      .executeTakeFirst()
  }

  async delete(tx: Executor, id: string): Promise<{ name: string } | undefined> {
    return tx.deleteFrom('notification_routes').where('id', '=', id).returning('name').executeTakeFirst()
  }
}

const rowColumns = [
  'id',
  'name',
  'receiver_id as receiverId',
  'severities',
  'technologies',
  'ap_ids as apIds',
  'rule_ids as ruleIds',
  'emulated',
  'group_by as groupBy',
  'group_wait_s as groupWaitS',
  'group_interval_s as groupIntervalS',
  'notify_cleared as notifyCleared',
  'escalate_after_s as escalateAfterS',
  'escalate_to as escalateTo',
  'quiet_hours as quietHours',
  'is_enabled as isEnabled',
  'updated_at as updatedAt',
  'updated_by as updatedBy',
] as const

const valuesOf = (route: NewRoute) => ({
  name: route.name,
  receiver_id: route.receiverId,
  severities: route.severities,
  technologies: route.technologies,
  ap_ids: route.apIds,
  rule_ids: route.ruleIds,
  emulated: route.emulated,
  group_by: route.groupBy,
  group_wait_s: route.groupWaitS,
  group_interval_s: route.groupIntervalS,
  notify_cleared: route.notifyCleared,
  escalate_after_s: route.escalateAfterS,
  escalate_to: route.escalateTo,
  quiet_hours: route.quietHours && JSON.stringify(route.quietHours),
  is_enabled: route.isEnabled,
  updated_by: route.updatedBy,
})
