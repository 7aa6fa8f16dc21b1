import { type Postgres, sql } from '../../engines/postgres.ts'

export interface Attributes {
  apId: string
  /** JSON text of the members that were said. */
  attributes: string
  saidAt: Date
}

export interface Refusals {
  apId: string
  reason: string
  samples: number
}

/** What the ingester notes about agents beside their metrics: one statement a kind and flush, however many agents. */
export class NoteStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Members that were not said this time keep their last value. */
  async putAttributes(changes: Attributes[]): Promise<void> {
    await sql`
      insert into agent_attributes as known (ap_id, attributes, said_at)
      select * from unnest(
        ${changes.map(({ apId }) => apId)}::text[],
        ${changes.map(({ attributes }) => attributes)}::json[],
        ${changes.map(({ saidAt }) => saidAt)}::timestamptz[])
      on conflict (ap_id) do update set
        attributes = (known.attributes::jsonb || excluded.attributes::jsonb)::json,
        said_at = excluded.said_at
      where known.said_at <= excluded.said_at
    `.execute(this.#postgres.db)
  }

  async addRefusals(refusals: Refusals[]): Promise<void> {
    await sql`
      insert into refused_samples as known (ap_id, reason, samples, last_at)
      select ap_id, reason, samples, now() from unnest(
        ${refusals.map(({ apId }) => apId)}::text[],
        ${refusals.map(({ reason }) => reason)}::text[],
        ${refusals.map(({ samples }) => samples)}::bigint[]) as counted (ap_id, reason, samples)
      on conflict (ap_id, reason) do update set
        samples = known.samples + excluded.samples, last_at = excluded.last_at
    `.execute(this.#postgres.db)
  }
}
