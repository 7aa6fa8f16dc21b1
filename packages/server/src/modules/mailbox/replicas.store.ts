import { type Postgres, sql } from '../../engines/postgres.ts'

/** Which replicas are running: a WebSocket counts as connected only while its replica is. */
export class ReplicaStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async heartbeat(replica: string): Promise<void> {
    await sql`
      insert into replicas (id, alive_at) values (${replica}, now())
      on conflict (id) do update set alive_at = now()
    `.execute(this.#postgres.db)
  }

  async sweep(): Promise<void> {
    await sql`delete from replicas where alive_at < now() - interval '1 hour'`.execute(this.#postgres.db)
  }
}

/** SQL condition. */
export const isReplicaAlive = (replica: ReturnType<typeof sql>) =>
  sql`exists (select from replicas where id = ${replica} and alive_at > now() - interval '6 s')`
