import { type Postgres, sql } from '../../engines/postgres.ts'

export interface RejectedCount {
  apId: string
  reason: string
  samples: number
}

/** The only writer of the table `refused_samples`. */
export class RejectedSamplesStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** At most one count per agent and reason. */
  async add(counts: RejectedCount[]): Promise<void> {
    await sql`
      insert into refused_samples as known (ap_id, reason, samples, last_at)
      select ap_id, reason, samples, now() from unnest(
        ${counts.map(({ apId }) => apId)}::text[],
        ${counts.map(({ reason }) => reason)}::text[],
        ${counts.map(({ samples }) => samples)}::bigint[]) as counted (ap_id, reason, samples)
      on conflict (ap_id, reason) do update set
        samples = known.samples + excluded.samples, last_at = excluded.last_at
    `.execute(this.#postgres.db)
  }
}
