import { promises as fs } from 'node:fs'
import path from 'node:path'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import pg from 'pg'
import type { Logger } from 'pino'
import { Refused, unavailable } from '../errors.ts'
import type { Metrics } from '../metrics.ts'
import { endsConnection, PoolClient, type PoolClientConfig } from './postgres.client.ts'
import { closeSocket, NoWritableHost, PostgresHosts } from './postgres.hosts.ts'
import { buildIndexes } from './postgres.indexes.ts'
import type { Tables } from './postgres.tables.ts'

export { sql }
export type Database = Kysely<Tables>
export type Tx = Transaction<Tables>
/** A store's method runs inside the transaction that it is given. */
export type Executor = Database | Tx

const applicationName = 'manc-server'
/** With the wait for a connection, a request fails within about 2 s when the database does not answer. */
const requestTimeoutMs = 1500
/**
 * After the client has given up, the database ends the statement too: it does not notice that the connection was closed while the
 * statement waits for a lock, and would collect such statements until it has no connection left.
 */
const cancelAfterMs = 500
/**
 * A new connection costs a process of the database, the proof of the password and the plans of all statements. With 10 s, the default,
 * connections were opened whenever load rose after a pause, and requests waited up to 1.3 s for them on busy processors.
 */
const idleForMs = 600_000
/** Firewalls forget connections that are silent for some minutes. */
const keepAliveAfterMs = 60_000
/** Of the time for a connection, what a search for the primary may take. */
const searchShare = 2 / 3

// Configurations are stored and returned as text, without parsing.
pg.types.setTypeParser(pg.types.builtins.JSON, (text) => text)

export class Postgres {
  readonly db: Database
  readonly #pool: pg.Pool
  readonly #hosts: PostgresHosts
  readonly #log: Logger
  readonly #timeoutMs: number
  readonly #afterCommit = new WeakMap<Tx, (() => void)[]>()
  #pipeline: Promise<pg.Client> | undefined
  #pipelineAddress = ''

  constructor(options: {
    url: string
    connections: number
    log: Logger
    metrics: Metrics
    /** For a connection, and for the response to a query. */
    timeoutMs?: number
  }) {
    this.#log = options.log
    this.#timeoutMs = options.timeoutMs ?? requestTimeoutMs
    this.#hosts = new PostgresHosts(options.url, { searchMs: this.#timeoutMs * searchShare })
    this.#pool = new pg.Pool({
      ...clientOf(this.#hosts),
      max: options.connections,
      application_name: applicationName,
      connectionTimeoutMillis: this.#timeoutMs,
      idleTimeoutMillis: idleForMs,
      query_timeout: this.#timeoutMs,
      statement_timeout: this.#timeoutMs + cancelAfterMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
    })
    this.#pool.on('error', (error) => this.#log.warn({ err: error }, 'a database connection ended'))
    this.db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: this.#pool }) })
    this.#defineMetrics(options.metrics)
  }

  #defineMetrics(metrics: Metrics): void {
    metrics.gauge({
      name: 'manc_postgres_connections',
      help: 'PostgreSQL connections of this process, by state',
      labels: ['state'],
      read: () => [
        { labels: { state: 'used' }, value: this.#pool.totalCount - this.#pool.idleCount },
        { labels: { state: 'idle' }, value: this.#pool.idleCount },
      ],
    })
    metrics.gauge({
      name: 'manc_postgres_waiting_requests',
      help: 'Requests that wait for a PostgreSQL connection',
      read: () => [{ labels: {}, value: this.#pool.waitingCount }],
    })
    metrics.gauge({
      name: 'manc_postgres_connections_limit',
      help: 'Maximum number of PostgreSQL connections of this process',
      read: () => [{ labels: {}, value: this.#pool.options.max }],
    })
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const callbacks: (() => void)[] = []
    const result = await this.db.transaction().execute((tx) => {
      this.#afterCommit.set(tx, callbacks)
      return work(tx)
    })
    for (const run of callbacks) run()
    return result
  }

  /** Runs after the transaction has committed; not after a rollback. */
  afterCommit(tx: Tx, run: () => void): void {
    this.#afterCommit.get(tx)?.push(run)
  }

  /**
   * For many small reads: over one pipelined connection they share packets, and none waits for a free connection.
   * The name makes them prepared statements, which the database plans once.
   */
  async read<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    const client = await this.#pipelined()
    try {
      const result = await client.query<Row>({ name, text, values })
      return result.rows
    } catch (error) {
      // Another host may have become the primary. A single one is waited for.
      if (this.#hosts.areSeveral && endsConnection(error)) closeSocket(client)
      throw error
    }
  }

  /** Fails also if the database can only be read: it is a standby, or was demoted. */
  async ping(): Promise<void> {
    const [row] = await this.read<{ state: string }>(
      'ping',
      `select current_setting('transaction_read_only') as state`,
      [],
    )
    if (row?.state === 'off') return
    // The next connection may reach the new primary.
    this.#hosts.lost(this.#pipelineAddress)
    void this.#closePipeline().catch(() => {})
    throw unavailable('The database', new Error('the database is read-only'))
  }

  async stop(): Promise<void> {
    await Promise.allSettled([this.#closePipeline(), this.db.destroy()])
  }

  async #closePipeline(): Promise<void> {
    const pipeline = this.#pipeline
    this.#pipeline = undefined
    const client = await pipeline?.catch(() => undefined)
    await client?.end()
  }

  #pipelined(): Promise<pg.Client> {
    if (this.#pipeline) return this.#pipeline
    const opening = this.#openPipeline((error) => {
      // A newer connection may have replaced this one already.
      if (this.#pipeline !== opening) return
      this.#pipeline = undefined
      this.#log.warn({ err: error }, 'the pipelined database connection ended')
    })
    this.#pipeline = opening
    return opening
  }

  async #openPipeline(ended: (error?: Error) => void): Promise<pg.Client> {
    const startedAt = performance.now()
    let address = ''
    try {
      address = await this.#hosts.primary()
      const remainingMs = this.#timeoutMs - (performance.now() - startedAt)
      const client = new pg.Client({
        connectionString: address,
        application_name: applicationName,
        connectionTimeoutMillis: Math.max(1, remainingMs),
        query_timeout: this.#timeoutMs,
        statement_timeout: this.#timeoutMs + cancelAfterMs,
        keepAlive: true,
        pipeline: true,
      })
      client.on('error', (error) => {
        this.#hosts.lost(address)
        ended(error)
      })
      client.on('end', () => ended())
      await client.connect()
      this.#pipelineAddress = address
      return client
    } catch (error) {
      this.#hosts.lost(address)
      ended(error as Error)
      throw error
    }
  }
}

/** Options of a pool. It passes them on to each client. */
const clientOf = (hosts: PostgresHosts): pg.PoolConfig & PoolClientConfig => ({
  Client: PoolClient,
  connectionString: hosts.first,
  hosts,
})

const migrationTimeoutMs = 10_000

/** Migrates the database to this version's schema. Safe to run from many processes: one migrates, the others wait. */
export async function migrate(url: string, log: Logger): Promise<void> {
  const hosts = new PostgresHosts(url, { searchMs: migrationTimeoutMs * searchShare })
  const pool = new pg.Pool({ ...clientOf(hosts), max: 1, connectionTimeoutMillis: migrationTimeoutMs })
  // For a connection that is lost between two statements: the next statement fails.
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrationFolder = path.join(import.meta.dirname, '../../migrations')
    const provider = new FileMigrationProvider({ fs, path, migrationFolder })
    if (await isNewer(db, Object.keys(await provider.getMigrations()))) {
      log.info('the schema is of a newer version; this version works with it')
      return
    }
    const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest()
    for (const { migrationName, status } of results)
      log.info({ migration: migrationName, status }, 'migration')
    if (error) throw error
    await buildIndexes(db, log)
  } finally {
    await db.destroy()
  }
}

/** Migrations stay compatible with the version before, so that both versions may run at the same time. */
async function isNewer(db: Database, known: string[]): Promise<boolean> {
  const { rows: tables } = await sql`select to_regclass('kysely_migration') as name`.execute(db)
  if (!(tables[0] as { name: string | null }).name) return false
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const applied = new Set(rows.map(({ name }) => name))
  return known.every((name) => applied.has(name)) && applied.size > known.length
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
/**
 * Connection exceptions, too many connections, disk full, shutting down, starting up, crashed; a standby, read-only after
 * a failover, conflicts and deadlocks with other transactions, canceled, and locks that were not released in time.
 */
const unavailableStates = /^(08...|25006|40001|40P01|53...|55000|55P03|57014|57P0[123]|58...)$/
const driverMessages =
  /^(Query read timeout|timeout exceeded|timeout expired|Connection terminated|Client has encountered|Client was closed)/i

/** The refusal for a caller when the database is unavailable; undefined for any other error. */
export function databaseRefusal(error: unknown): Refused | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof NoWritableHost) return unavailable('The database', error)
  const { code } = error as { code?: string }
  const isDown =
    code === undefined
      ? driverMessages.test(error.message)
      : connectionFailures.has(code) || unavailableStates.test(code)
  const isInnerDown =
    error instanceof AggregateError ? error.errors.some((each) => databaseRefusal(each)) : false
  return isDown || isInnerDown ? unavailable('The database', error) : undefined
}
