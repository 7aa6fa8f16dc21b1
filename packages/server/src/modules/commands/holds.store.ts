import { type Postgres, sql, type Tx } from '../../engines/postgres.ts'

/** A statement has to end within the time limit of queries. */
const deletedAtOnce = 5000

interface Holder {
  holder: string
  priority: number
  isUser: boolean
  forS: number
}

/** For which caller each agent is reserved at the moment. */
export class HoldStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Those of these agents that another caller holds, with the seconds that are left. Locks their rows. */
  async heldByOthers(
    tx: Tx,
    apIds: readonly string[],
    holder: string,
  ): Promise<{ apId: string; leftS: number }[]> {
    const { rows } = await sql<{ apId: string; leftS: number }>`
      select ap_id as "apId", extract(epoch from until - now())::float8 as "leftS" from command_holds
      where ap_id = any(${apIds}) and until > now() and holder <> ${holder}
      order by ap_id for update
    `.execute(tx)
    return rows
  }

  /** Returns the agents that the holder got. Of two concurrent callers, the second sees the row of the first. */
  async take(
    tx: Tx,
    apIds: readonly string[],
    { holder, priority, isUser, forS }: Holder,
  ): Promise<string[]> {
    const { rows } = await sql<{ apId: string }>`
      insert into command_holds as held (ap_id, holder, priority, until)
      select ap_id, ${holder}::uuid, ${priority}::int, now() + make_interval(secs => ${forS})
      from unnest(${apIds}::text[]) as requested (ap_id) order by ap_id
      on conflict (ap_id) do update set
        holder = excluded.holder, priority = excluded.priority, until = excluded.until
      where held.until <= now() or held.holder = excluded.holder or held.priority < excluded.priority or ${isUser}
      returning ap_id as "apId"
    `.execute(tx)
    return rows.map(({ apId }) => apId)
  }

  /** Reservations that have ended are of no use, and their agent may have been deleted. */
  async sweep(): Promise<void> {
    for (;;) {
      const { numAffectedRows = 0n } = await sql`
        delete from command_holds where ap_id = any(array(
          select ap_id from command_holds where until < now() - interval '1 hour'
          order by ap_id limit ${deletedAtOnce} for update skip locked))
      `.execute(this.#postgres.db)
      if (numAffectedRows < deletedAtOnce) return
    }
  }
}
