import { type Postgres, sql } from '../../engines/postgres.ts'
import type { EngineState, ProcessReport, ProcessRow } from './parts.types.ts'

/** Without a heartbeat for this long a process counts as ended. */
const deadAfterS = 15
/** For this long one without a heartbeat is listed. */
const keptS = 15 * 60
const maxListed = 500

/** The only writer of the table `processes`. */
export class ProcessStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async heartbeat({ id, host, roles, version, engines, parts }: ProcessReport): Promise<void> {
    await sql`
      insert into processes (id, host, roles, version, engines, parts)
      values (${id}, ${host}, ${roles}::text[], ${version}, ${JSON.stringify(engines)}, ${JSON.stringify(parts)})
      on conflict (id) do update set alive_at = now(), engines = excluded.engines, parts = excluded.parts
    `.execute(this.#postgres.db)
  }

  async remove(id: string): Promise<void> {
    await this.#postgres.db.deleteFrom('processes').where('id', '=', id).execute()
  }

  async list(): Promise<ProcessRow[]> {
    const { rows } = await sql<ProcessRow & { engines: (EngineState & { since?: string })[] }>`
      select id, host, roles, version, engines, parts, started_at as "startedAt", alive_at as "aliveAt",
        alive_at > now() - make_interval(secs => ${deadAfterS}) as "isAlive"
      from processes where alive_at > now() - make_interval(secs => ${keptS})
      order by host, started_at, id limit ${maxListed}
    `.execute(this.#postgres.db)
    return rows.map((row) => ({
      ...row,
      engines: row.engines.map(({ since, ...engine }) => ({
        ...engine,
        ...(since !== undefined && { since: new Date(since) }),
      })),
    }))
  }

  /** Of this database, in bytes. */
  async databaseSize(): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`
      select pg_database_size(current_database())::float8 as bytes
    `.execute(this.#postgres.db)
    return rows[0]?.bytes ?? 0
  }

  async sweep(): Promise<void> {
    await sql`
      delete from processes where alive_at < now() - make_interval(secs => ${keptS})
    `.execute(this.#postgres.db)
  }
}
