import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'

/** Tokens that allow the creation of the first administrator, as fingerprints. */
export class SetupTokenStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async insert(hash: string): Promise<void> {
    await this.#postgres.db.insertInto('setup_tokens').values({ hash }).execute()
  }

  /** Whether the token exists and there is no administrator. */
  async isValid(hashes: readonly string[]): Promise<boolean> {
    const { rows } = await sql`
      select 1 from setup_tokens
      where hash = any(${hashes}) and not exists (select 1 from users where is_admin)
    `.execute(this.#postgres.db)
    return rows.length > 0
  }

  async deleteAll(tx: Executor): Promise<void> {
    await tx.deleteFrom('setup_tokens').execute()
  }
}
