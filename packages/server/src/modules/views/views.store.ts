import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import type { NewView, ViewRow } from './views.types.ts'

const columns = sql`v.id, v.owner, v.name, v.is_shared as "isShared", v.columns, v.sort, v.sort_order as "order", v.filters,
  users.username as "createdBy", v.updated_at as "updatedAt"`

/** The only writer of the table `saved_views`. */
export class ViewStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Own and shared ones, the newest first: ids are in the order of their creation. */
  async page(user: string, after: string | undefined, limit: number): Promise<ViewRow[]> {
    const { rows } = await sql<ViewRow>`
      select ${columns} from saved_views as v join users on users.id = v.owner
      where (v.owner = ${user}::uuid or v.is_shared)
        and ${after === undefined ? sql`true` : sql`v.id < ${after}::uuid`}
      order by v.id desc limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  /** One that the user can see. */
  async find(db: Executor, user: string, id: string): Promise<ViewRow | undefined> {
    const { rows } = await sql<ViewRow>`
      select ${columns} from saved_views as v join users on users.id = v.owner
      where v.id = ${id}::uuid and (v.owner = ${user}::uuid or v.is_shared)
    `.execute(db)
    return rows[0]
  }

  /** Locks the count: of two requests at the limit, one is refused. */
  async count(tx: Executor, owner: string): Promise<number> {
    await sql`select pg_advisory_xact_lock(hashtext('views ' || ${owner}))`.execute(tx)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from saved_views where owner = ${owner}::uuid
    `.execute(tx)
    return rows[0]?.count ?? 0
  }

  async insert(tx: Executor, view: NewView): Promise<void> {
    await tx
      .insertInto('saved_views')
      .values({ id: view.id, owner: view.owner, ...valuesOf(view) })
      .execute()
  }

  async update(tx: Executor, view: NewView): Promise<void> {
    await tx
      .updateTable('saved_views')
      .set({ ...valuesOf(view), updated_at: sql<Date>`now()` })
      .where('id', '=', view.id)
      .execute()
  }

  async delete(tx: Executor, id: string): Promise<void> {
    await tx.deleteFrom('saved_views').where('id', '=', id).execute()
  }
}

const valuesOf = ({ name, isShared, columns: shown, sort, order, filters }: NewView) => ({
  name,
  is_shared: isShared,
  columns: [...shown],
  sort,
  sort_order: order,
  filters: JSON.stringify(filters),
})
