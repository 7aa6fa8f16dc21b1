import { type Postgres, sql } from '../../engines/postgres.ts'
import { type AssignedQueue, reassignments } from './queue-assignment.rules.ts'

export interface IngesterRow {
  id: string
  /** It has sent a heartbeat lately. */
  isAlive: boolean
  isConnected: boolean
  /** How long ago the last message was sent of which it is known that all before it were received. Null: not known. */
  lagMs: number | null
}

export interface Heartbeat {
  id: string
  isConnected: boolean
  /** Infinity: not known. */
  lagMs: number
}

/** Without a heartbeat for this long an ingester is dead, and others consume its queues. */
const deadAfterS = 6
/** One ingester at a time changes the assignment. */
const assignmentLock = 'manc telemetry queues'

/** The only writer of the tables `ingesters` and `telemetry_queues`. */
export class IngesterStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async heartbeat({ id, isConnected, lagMs }: Heartbeat): Promise<void> {
    const lagS = Number.isFinite(lagMs) ? lagMs / 1000 : null
    await sql`
      insert into ingesters (id, alive_at, is_connected, received_at)
      values (${id}, now(), ${isConnected}, now() - make_interval(secs => ${lagS}))
      on conflict (id) do update set
        alive_at = now(), is_connected = excluded.is_connected, received_at = excluded.received_at
    `.execute(this.#postgres.db)
  }

  async read(): Promise<{ queues: AssignedQueue[]; ingesters: IngesterRow[] }> {
    const rows = await this.#postgres.read<{ name: string | null; ingester: string | null } & IngesterRow>(
      'telemetry queues',
      `select name, ingester, id, is_connected as "isConnected",
         alive_at > now() - make_interval(secs => $1) as "isAlive",
         (extract(epoch from now() - received_at) * 1000)::float8 as "lagMs"
       from telemetry_queues full join ingesters on id = ingester
       order by name`,
      [deadAfterS],
    )
    const ingesters = new Map(rows.filter(({ id }) => id).map((row) => [row.id, row]))
    const queues = rows.flatMap(({ name, ingester }) => (name === null ? [] : [{ name, ingester }]))
    return { queues, ingesters: [...ingesters.values()] }
  }

  /** Divides the queues among the given ingesters. */
  async assign(ingesters: readonly string[]): Promise<void> {
    await this.#postgres.transaction(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext(${assignmentLock}))`.execute(tx)
      const queues = await tx.selectFrom('telemetry_queues').selectAll().orderBy('name').execute()
      const changes = reassignments(queues, ingesters)
      await sql`
        update telemetry_queues set ingester = change.ingester
        from unnest(${changes.map(({ name }) => name)}::text[],
          ${changes.map(({ ingester }) => ingester)}::uuid[]) as change (name, ingester)
        where telemetry_queues.name = change.name
      `.execute(tx)
    })
  }

  /** Its queues are free at once: the others need not wait for missing heartbeats. */
  async remove(ids: readonly string[]): Promise<void> {
    await sql`delete from ingesters where id = any(${ids}::uuid[])`.execute(this.#postgres.db)
  }

  async addQueues(names: readonly string[]): Promise<void> {
    await sql`
      insert into telemetry_queues (name) select unnest(${names}::text[]) on conflict do nothing
    `.execute(this.#postgres.db)
  }

  async removeQueues(names: readonly string[]): Promise<void> {
    await sql`delete from telemetry_queues where name = any(${names}::text[])`.execute(this.#postgres.db)
  }
}
