import { type Postgres, sql } from '../../engines/postgres.ts'

export interface RejectedCount {
  apId: string
  reason: string
  samples: number
}

export interface RejectedSamples {
  reason: string
  samples: number
  lastAt: Date
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
      order by ap_id, reason
      on conflict (ap_id, reason) do update set
        samples = known.samples + excluded.samples, last_at = excluded.last_at
    `.execute(this.#postgres.db)
  }

  /** Of one agent, the newest first. There are about 20 reasons. */
  async find(apId: string): Promise<RejectedSamples[]> {
    const { rows } = await sql<RejectedSamples>`
      select reason, samples::float8 as samples, last_at as "lastAt" from refused_samples
      where ap_id = ${apId} order by last_at desc, reason limit 100
    `.execute(this.#postgres.db)
    return rows
  }

  /**
   * Deletes counts that did not change for 30 days and those of agents that no longer exist, among `limit` rows from an
   * id on. Returns the last of these ids; undefined at the end of the table.
   */
  async deleteExpired(after: string, limit: number): Promise<string | undefined> {
    const { rows } = await sql<{ apId: string }>`
      with page as (
        select ap_id, reason from refused_samples where ap_id > ${after}
        order by ap_id fetch first ${limit} rows with ties
      ), deleted as (
        delete from refused_samples using page
        where refused_samples.ap_id = page.ap_id and refused_samples.reason = page.reason
          and (last_at < now() - interval '30 days'
            or not exists (select from agents where agents.ap_id = page.ap_id))
      )
      select ap_id as "apId" from page order by ap_id desc limit 1
    `.execute(this.#postgres.db)
    return rows[0]?.apId
  }
}
