import { deleteInBatches } from '../../engines/postgres.batches.ts'
import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'

export interface Suspension {
  reason: string
  since: Date
  until: Date
}

/** The only writer of the table `agent_suspensions`. */
export class SuspensionStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /**
   * Doubles the pause with each suspension within an hour after the last. Returns the end of the pause; undefined if the
   * agent is suspended already or does not exist.
   */
  async add(
    tx: Executor,
    { apId, reason, pauseS, maxPauseS }: { apId: string; reason: string; pauseS: number; maxPauseS: number },
  ): Promise<Date | undefined> {
    const { rows } = await sql<{ until: Date }>`
      insert into agent_suspensions as known (ap_id, reason, pause_s, until)
      select ap_id, ${reason}, ${pauseS}, now() + make_interval(secs => ${pauseS}) from agents where ap_id = ${apId}
      on conflict (ap_id) do update set
        reason = excluded.reason,
        since = now(),
        pause_s = case when known.until < now() - interval '1 hour' then excluded.pause_s
          else least(known.pause_s * 2, ${maxPauseS}) end,
        until = now() + make_interval(secs => case when known.until < now() - interval '1 hour' then excluded.pause_s
          else least(known.pause_s * 2, ${maxPauseS}) end)
      where known.until <= now()
      returning until
    `.execute(tx)
    return rows[0]?.until
  }

  async find(apId: string): Promise<Suspension | undefined> {
    const [row] = await this.#postgres.read<Suspension>(
      'agent-suspension',
      'select reason, since, until from agent_suspensions where ap_id = $1',
      [apId],
    )
    return row
  }

  /** Kept for a day, so that a person can see the reason. */
  async sweep(): Promise<void> {
    await deleteInBatches(this.#postgres.db, 'agent_suspensions', sql`until < now() - interval '1 day'`)
  }
}
