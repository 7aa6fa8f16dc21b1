import { deleteInBatches } from '../../engines/postgres.batches.ts'
import { changesSince, type Horizon } from '../../engines/postgres.horizon.ts'
import { type Postgres, sql, type Tx } from '../../engines/postgres.ts'

export class RevocationStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async upsert(tx: Tx, subject: string, version: number): Promise<void> {
    await sql`
      insert into revocations (subject, version) values (${subject}, ${version})
      on conflict (subject) do update set
        version = greatest(revocations.version, excluded.version),
        revoked_at = now(),
        transaction_id = pg_current_xact_id()
    `.execute(tx)
  }

  changesSince(horizon: Horizon) {
    return changesSince<{ subject: string; version: number }>(
      this.#postgres,
      { name: 'revocations', table: 'revocations', columns: 'subject, version' },
      horizon,
    )
  }

  async deleteOlderThan(seconds: number): Promise<void> {
    await deleteInBatches(
      this.#postgres.db,
      'revocations',
      sql`revoked_at < now() - make_interval(secs => ${seconds})`,
    )
  }
}
