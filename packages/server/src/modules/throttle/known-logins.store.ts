import { deleteInBatches } from '../../engines/postgres.batches.ts'
import { type Postgres, sql } from '../../engines/postgres.ts'

const maxAddresses = 8
const keptDays = 30

/** From where accounts have logged in: the last addresses of each, as hashes. */
export class KnownLoginStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async has(account: string, address: string): Promise<boolean> {
    const rows = await this.#postgres.read(
      'known_login',
      'select 1 from known_logins where account = $1 and $2 = any(addresses) and expires_at > now()',
      [account, address],
    )
    return rows.length > 0
  }

  async add(account: string, address: string): Promise<void> {
    await sql`
      insert into known_logins as known (account, addresses, expires_at)
      values (${account}, array[${address}], now() + make_interval(days => ${keptDays}))
      on conflict (account) do update set
        addresses = (array[${address}] || array_remove(known.addresses, ${address}))[1:${sql.lit(maxAddresses)}],
        expires_at = excluded.expires_at
    `.execute(this.#postgres.db)
  }

  async deleteExpired(): Promise<void> {
    await deleteInBatches(this.#postgres.db, 'known_logins', sql`expires_at < now()`)
  }
}
