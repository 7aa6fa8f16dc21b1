import { setTimeout as sleep } from 'node:timers/promises'
import { addressesOf, hostOf } from '@manc/contract/addresses'
import pg from 'pg'

/** A failover is in progress, or all hosts are down. */
export class NoWritableHost extends Error {
  override readonly name = 'NoWritableHost'
}

const pauseMs = 100

/** The hosts of MANC_DATABASE_URL. Of several, one takes writes: the primary. */
export class PostgresHosts {
  readonly #addresses: string[]
  readonly #searchMs: number
  #primary: string | undefined
  #search: Promise<string> | undefined

  constructor(setting: string, options: { searchMs: number }) {
    this.#addresses = addressesOf(setting)
    this.#searchMs = options.searchMs
  }

  get areSeveral(): boolean {
    return this.#addresses.length > 1
  }

  /** The URL of any host, for what all have in common: user, database and parameters. */
  get first(): string {
    return this.#addresses[0] ?? ''
  }

  /** The URL of the primary, as found last. A single host is not asked. */
  async primary(): Promise<string> {
    if (!this.areSeveral) return this.first
    if (this.#primary !== undefined) return this.#primary
    this.#search ??= this.#find().finally(() => {
      this.#search = undefined
    })
    return this.#search
  }

  /** A connection to the host was lost, or it takes no writes any more: the next connection searches again. */
  lost(address: string): void {
    if (this.#primary === address) this.#primary = undefined
  }

  async #find(): Promise<string> {
    const deadline = performance.now() + this.#searchMs
    for (;;) {
      const remainingMs = deadline - performance.now()
      try {
        this.#primary = await Promise.any(this.#addresses.map((each) => asPrimary(each, remainingMs)))
        return this.#primary
      } catch (error) {
        if (performance.now() + pauseMs >= deadline) throw this.#noneOf((error as AggregateError).errors)
        await sleep(pauseMs)
      }
    }
  }

  #noneOf(errors: unknown[]): NoWritableHost {
    const states = this.#addresses.map((each, n) => `${hostOf(each)} (${(errors[n] as Error).message})`)
    return new NoWritableHost(`no host of MANC_DATABASE_URL takes writes: ${states.join(', ')}`)
  }
}

/** At once, without waiting for the database. */
export function closeSocket(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection
  stream.destroy()
}

/** Gives the address back, or rejects if the host takes no writes. */
async function asPrimary(address: string, withinMs: number): Promise<string> {
  const client = new pg.Client({
    connectionString: address,
    application_name: 'manc-server',
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
  })
  // The connection or the query rejects as well.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ state: string }>(
      `select current_setting('transaction_read_only') as state`,
    )
    if (rows[0]?.state !== 'off') throw new Error('read-only')
  } catch (error) {
    // One that does not answer would not answer to the end of the connection either.
    closeSocket(client)
    throw error
  }
  void client.end().catch(() => {})
  return address
}
