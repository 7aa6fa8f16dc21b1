import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** Inserts the rows of an emulation again under other names: multi-row statements in one transaction. */
export class BareInsert {
  readonly #client: pg.Client

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async open(url: string): Promise<BareInsert> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return new BareInsert(client)
  }

  /** Duration in milliseconds. */
  async repeat(jobNumber: string): Promise<number> {
    const { rows } = await this.#client.query(
      `select ap_id, password_hash, configuration::text, technology, latitude, longitude, interval_s
       from agents join fleet using (ap_id) where emulation = $1`,
      [jobNumber],
    )
    if (rows.length !== 10_000) throw new Error(`${rows.length} rows of ${jobNumber} instead of 10,000`)
    const apIds = rows.map((row) => `bare-${row.ap_id}`)
    const ids = rows.map(() => randomUUID())
    const of = (name: string) => rows.map((row) => row[name])
    const startedAt = performance.now()
    await this.#client.query('begin')
    await this.#client.query(
      `insert into agents (id, ap_id, password_hash, configuration, emulation)
       select id, ap_id, hash, configuration::json, $5
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as new (id, ap_id, hash, configuration)`,
      [ids, apIds, of('password_hash'), of('configuration'), randomUUID()],
    )
    await this.#client.query(
      `insert into fleet (ap_id, technology, latitude, longitude, interval_s)
       select * from unnest($1::text[], $2::text[], $3::float8[], $4::float8[], $5::float8[])`,
      [apIds, of('technology'), of('latitude'), of('longitude'), of('interval_s')],
    )
    await this.#client.query('commit')
    return performance.now() - startedAt
  }

  close(): Promise<void> {
    return this.#client.end()
  }
}
