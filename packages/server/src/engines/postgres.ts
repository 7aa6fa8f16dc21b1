import { promises as fs } from 'node:fs'
import path from 'node:path'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import pg from 'pg'
import type { Logger } from 'pino'
import { Refused, unavailable } from '../errors.ts'
import type { Tables } from './postgres.tables.ts'

export { sql }
export type Database = Kysely<Tables>
export type Tx = Transaction<Tables>
/** Either of them: a store's method runs inside a transaction where it is given one. */
export type Executor = Database | Tx

const applicationName = 'manc-server'
/** Together with the wait for a connection, a request learns within 2 s that the database does not answer. */
const answerWithinMs = 1500

// Configurations are stored and returned as text: nobody here needs them parsed.
pg.types.setTypeParser(pg.types.builtins.JSON, (text) => text)

export class Postgres {
  readonly db: Database
  readonly #pool: pg.Pool
  readonly #url: string
  readonly #log: Logger
  readonly #afterCommit = new WeakMap<Tx, (() => void)[]>()
  #pipeline: Promise<pg.Client> | undefined

  constructor(options: { url: string; connections: number; log: Logger }) {
    this.#url = options.url
    this.#log = options.log
    this.#pool = new pg.Pool({
      Client: ImpatientClient,
      connectionString: options.url,
      max: options.connections,
      application_name: applicationName,
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
      keepAlive: true,
    })
    this.#pool.on('error', (error) => this.#log.warn({ err: error }, 'a database connection ended'))
    this.db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: this.#pool }) })
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const afterwards: (() => void)[] = []
    const result = await this.db.transaction().execute((tx) => {
      this.#afterCommit.set(tx, afterwards)
      return work(tx)
    })
    for (const run of afterwards) run()
    return result
  }

  /** Runs once the transaction has committed, and not at all if it has not. */
  afterCommit(tx: Tx, run: () => void): void {
    this.#afterCommit.get(tx)?.push(run)
  }

  /**
   * Many small reads over one pipelined connection: they share packets, and none waits for a free connection.
   * Named, so that the database plans them once.
   */
  async read<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    const client = await this.#pipelined()
    const result = await client.query<Row>({ name, text, values })
    return result.rows
  }

  async ping(): Promise<void> {
    await this.read('ping', 'select 1', [])
  }

  async stop(): Promise<void> {
    const pipeline = this.#pipeline
    this.#pipeline = undefined
    const client = await pipeline?.catch(() => undefined)
    await Promise.allSettled([client?.end(), this.db.destroy()])
  }

  #pipelined(): Promise<pg.Client> {
    if (this.#pipeline) return this.#pipeline
    const opening = this.#openPipeline((error) => {
      // Only the one that ended: by now another may be in its place.
      if (this.#pipeline !== opening) return
      this.#pipeline = undefined
      this.#log.warn({ err: error }, 'the pipelined database connection ended')
    })
    this.#pipeline = opening
    return opening
  }

  async #openPipeline(ended: (error?: Error) => void): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: applicationName,
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
      keepAlive: true,
      pipeline: true,
    })
    client.on('error', ended)
    client.on('end', () => ended())
    try {
      await client.connect()
      return client
    } catch (error) {
      ended(error as Error)
      throw error
    }
  }
}

/**
 * A query that is given up on has not ended: its connection may be inside a transaction that nobody will close.
 * So it is not used again.
 */
class ImpatientClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    // The query that was under way is told; without a listener the process would be as well.
    this.on('error', () => {})
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- pg's overloads, passed on as they are
  override query(...words: any[]): any {
    const answer: unknown = super.query(...(words as [string]))
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if (error instanceof Error && error.message === 'Query read timeout') this.#hangUp()
      })
    return answer
  }

  #hangUp(): void {
    const { stream } = (this as unknown as { connection: { stream: { destroy(): void } } }).connection
    stream.destroy()
  }
}

/** Brings the database to this version's schema. Safe to run from many processes: the first does it, the rest wait. */
export async function migrate(url: string, log: Logger): Promise<void> {
  const pool = new pg.Pool({
    Client: ImpatientClient,
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: 10_000,
  })
  // Of a connection that was lost between two statements: the next one fails, and tells.
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrationFolder = path.join(import.meta.dirname, '../../migrations')
    const provider = new FileMigrationProvider({ fs, path, migrationFolder })
    if (await isNewer(db, Object.keys(await provider.getMigrations()))) {
      log.info('the schema is that of a newer version, which this one can work with')
      return
    }
    const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest()
    for (const { migrationName, status } of results)
      log.info({ migration: migrationName, status }, 'migration')
    if (error) throw error
  } finally {
    await db.destroy()
  }
}

/** Migrations only add what the version before can live with, so that both may run side by side. */
async function isNewer(db: Database, ours: string[]): Promise<boolean> {
  const { rows: tables } = await sql`select to_regclass('kysely_migration') as name`.execute(db)
  if (!(tables[0] as { name: string | null }).name) return false
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const done = new Set(rows.map(({ name }) => name))
  return ours.every((name) => done.has(name)) && done.size > ours.length
}

const connectionFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
])
/** Connection exceptions, too many connections, disk full, shutting down, starting up, crashed. */
const unavailableStates = /^(08...|53...|57P0[123]|58...)$/
const driverMessages =
  /^(Query read timeout|timeout exceeded|timeout expired|Connection terminated|Client has encountered|Client was closed)/i

/** The refusal that a failed query means to a caller, or undefined where the fault is ours. */
export function databaseRefusal(error: unknown): Refused | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: string }
  const down =
    code === undefined
      ? driverMessages.test(error.message)
      : connectionFailures.has(code) || unavailableStates.test(code)
  const inner = error instanceof AggregateError ? error.errors.some((each) => databaseRefusal(each)) : false
  return down || inner ? unavailable('The database', error) : undefined
}
