import { type Postgres, sql } from '../../engines/postgres.ts'

/** Without a heartbeat for this long a monitor is dead. */
const deadAfterS = 10

/** Ids of the dead monitors, as a subquery. */
export const deadMonitors = sql<string>`
  select id from fleet_keepers where alive_at < now() - make_interval(secs => ${deadAfterS})`

/** The only writer of the table `fleet_keepers`: the heartbeats of the monitors. */
export class MonitorStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** `isCurrent`: the monitor has checked its agents against all samples that were sent. */
  async heartbeat(monitor: string, isCurrent: boolean): Promise<void> {
    await sql`
      insert into fleet_keepers as known (id, alive_at, judged_at) values (${monitor}, now(), now())
      on conflict (id) do update set
        alive_at = now(), judged_at = case when ${isCurrent} then now() else known.judged_at end
    `.execute(this.#postgres.db)
  }

  /** Dead at once: the others need not wait for missing heartbeats. */
  async retire(monitor: string): Promise<void> {
    await sql`update fleet_keepers set alive_at = '-infinity' where id = ${monitor}`.execute(
      this.#postgres.db,
    )
  }

  /** Deletes dead monitors that have no agents left. */
  async deleteDead(): Promise<void> {
    await sql`
      delete from fleet_keepers where id in (${deadMonitors})
      and not exists (select from fleet where keeper = fleet_keepers.id and state <> 'offline')
    `.execute(this.#postgres.db)
  }

  /** Up to when the states of all agents are right: the oldest check of all monitors. */
  async checkedAt(): Promise<Date | null> {
    const { checkedAt } = await this.#postgres.db
      .selectFrom('fleet_keepers')
      .select((eb) => eb.fn.min<Date | null>('judged_at').as('checkedAt'))
      .executeTakeFirstOrThrow()
    return checkedAt
  }
}
