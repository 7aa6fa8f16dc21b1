import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import type { NewReceiver, ReceiverRow } from './notifications.types.ts'

/** The only writer of the table `notification_receivers`. */
export class ReceiverStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async all(): Promise<ReceiverRow[]> {
    return this.#postgres.db
      .selectFrom('notification_receivers')
      .select(rowColumns)
      .orderBy('name')
      .orderBy('id')
      .execute()
  }

  async find(id: string, db: Executor = this.#postgres.db): Promise<ReceiverRow | undefined> {
    return db.selectFrom('notification_receivers').select(rowColumns).where('id', '=', id).executeTakeFirst()
  }

  async lock(tx: Executor, id: string): Promise<ReceiverRow | undefined> {
    return tx
      .selectFrom('notification_receivers')
      .select(rowColumns)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
  }

  /** How many of these exist. They cannot be deleted until the end of the transaction. */
  async countOf(tx: Executor, ids: readonly string[]): Promise<number> {
    const found = await tx
      .selectFrom('notification_receivers')
      .select('id')
      .where('id', 'in', [...new Set(ids)])
      .orderBy('id')
      .forKeyShare()
      .execute()
    return found.length
  }

  /** Locks the count: of two requests at the limit, one is refused. */
  async count(tx: Executor): Promise<number> {
    await sql`select pg_advisory_xact_lock(hashtext('notification_receivers'))`.execute(tx)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from notification_receivers`.execute(
      tx,
    )
    return rows[0]?.n ?? 0
  }

  async insert(tx: Executor, receiver: NewReceiver): Promise<ReceiverRow> {
    return tx
      .insertInto('notification_receivers')
      .values({
        ...valuesOf(receiver),
        id: receiver.id,
        type: receiver.type,
        secret_sealed: receiver.secretSealed,
      })
      .returning(rowColumns)
      .executeTakeFirstOrThrow()
  }

  /** Everything except its type and secret. Undefined if there is no such receiver. */
  async update(tx: Executor, receiver: NewReceiver): Promise<ReceiverRow | undefined> {
    return tx
      .updateTable('notification_receivers')
      .set({ ...valuesOf(receiver), updated_at: sql<Date>`now()` })
      .where('id', '=', receiver.id)
      .returning(rowColumns)
      .executeTakeFirst()
  }

  async setSecret(tx: Executor, id: string, sealed: Buffer, by: string): Promise<ReceiverRow | undefined> {
    return tx
      .updateTable('notification_receivers')
      .set({ secret_sealed: sealed, updated_at: sql<Date>`now()`, updated_by: by })
      .where('id', '=', id)
      .returning(rowColumns)
      .executeTakeFirst()
  }

  /** Undefined if there is no such receiver. */
  async delete(tx: Executor, id: string): Promise<{ name: string } | undefined> {
    return tx.deleteFrom('notification_receivers').where('id', '=', id).returning('name').executeTakeFirst()
  }

  async sealedSecrets(): Promise<{ id: string; sealed: Buffer }[]> {
    const { rows } = await sql<{ id: string; sealed: Buffer }>`
      select id, secret_sealed as sealed from notification_receivers where secret_sealed is not null order by id
    `.execute(this.#postgres.db)
    return rows
  }

  /** Secrets that were changed meanwhile are left as they are. */
  async replaceSealed(
    tx: Executor,
    changes: readonly { id: string; from: Buffer; to: Buffer }[],
  ): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      update notification_receivers as r set secret_sealed = new.sealed
      from unnest(${changes.map(({ id }) => id)}::uuid[], ${changes.map(({ from }) => from)}::bytea[],
        ${changes.map(({ to }) => to)}::bytea[]) as new (id, old_sealed, sealed)
      where r.id = new.id and r.secret_sealed = new.old_sealed
    `.execute(tx)
    return Number(numAffectedRows)
  }
}

const rowColumns = [
  'id',
  'name',
  'type',
  'addresses',
  'url',
  'secret_sealed as secretSealed',
  'is_enabled as isEnabled',
  'updated_at as updatedAt',
  'updated_by as updatedBy',
] as const

const valuesOf = (receiver: NewReceiver) => ({
  name: receiver.name,
  addresses: receiver.addresses,
  url: receiver.url,
  is_enabled: receiver.isEnabled,
  updated_by: receiver.updatedBy,
})
