import { type Postgres, sql } from '../../engines/postgres.ts'

/** What a request of vmalert did: read the rules, or sent alerts. */
export type ContactKind = 'rules' | 'alerts'

/** The only writer of the table `vmalert_contacts`. */
export class ContactStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async record(kind: ContactKind): Promise<void> {
    await sql`
      insert into vmalert_contacts as known (kind, at) values (${kind}, now())
      on conflict (kind) do update set at = greatest(known.at, excluded.at)
    `.execute(this.#postgres.db)
  }

  /** By kind, in seconds. A kind without any contact is missing. */
  async ages(): Promise<Map<string, number>> {
    const { rows } = await sql<{ kind: string; ageS: number }>`
      select kind, extract(epoch from now() - at)::float8 as "ageS" from vmalert_contacts
    `.execute(this.#postgres.db)
    return new Map(rows.map(({ kind, ageS }) => [kind, ageS]))
  }
}
