import pg from 'pg'
import { closeSocket, type PostgresHosts } from './postgres.hosts.ts'
import { withStatementName } from './postgres.prepared.ts'

/** PostgreSQL's `read_only_sql_transaction`. */
const readOnlyState = '25006'

/** A query that timed out still runs. A database that can only be read is the old primary, after a failover. */
export const endsConnection = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === 'Query read timeout' || (error as { code?: string }).code === readOnlyState)

export interface PoolClientConfig extends pg.ClientConfig {
  hosts: PostgresHosts
}

/**
 * Of a pool. Connects to the host that takes writes. Closes the connection of a query that timed out, perhaps inside a
 * transaction that would stay open, and the connection to a database which can only be read.
 */
export class PoolClient extends pg.Client {
  readonly #hosts: PostgresHosts | undefined
  #address: string | undefined

  constructor(config?: PoolClientConfig) {
    super(config)
    this.#hosts = config?.hosts
    // The running query rejects as well; an error event without a listener would end the process.
    this.on('error', () => this.#lost())
  }

  /** The pool passes a callback. */
  // oxlint-disable-next-line typescript/no-explicit-any -- pg's overloads
  override connect(callback?: any): any {
    if (!this.#hosts?.areSeveral || !callback) return super.connect(callback)
    this.#hosts.primary().then(
      (address) => {
        this.#address = address
        Object.assign(this, hostAndPort(address))
        super.connect((error?: Error) => {
          if (error) this.#lost()
          callback(error)
        })
      },
      (error: unknown) => callback(error),
    )
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- pg's overloads, passed on as they are
  override query(...parameters: any[]): any {
    const result: unknown = super.query(...(withStatementName(parameters) as [string]))
    if (result instanceof Promise)
      result.catch((error: unknown) => {
        if (!endsConnection(error)) return
        this.#lost()
        closeSocket(this)
      })
    return result
  }

  #lost(): void {
    if (this.#address !== undefined) this.#hosts?.lost(this.#address)
  }
}

function hostAndPort(address: string): { host: string; port: number } {
  const { hostname, port } = new URL(address)
  return { host: decodeURIComponent(hostname.replace(/^\[|\]$/g, '')), port: Number(port) || 5432 }
}
