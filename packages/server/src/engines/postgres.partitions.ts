import { type Postgres, sql } from './postgres.ts'

/** Requests wait for up to 1.5 s. */
const lockTimeoutMs = 500
/** A statement has to end within the time limit of queries. */
const deletedAtOnce = 5000

interface Options {
  /** Its partitions are named by their start, in seconds; the default partition has the suffix `_other`. */
  table: string
  /** The time by which it is partitioned. */
  column: string
  /** Length of a partition. */
  partitionS: number
  /** Deletes at most `max` rows that are older than this from the default partition. Returns how many. */
  deleteOther: (keepS: number, max: number) => Promise<number>
}

/** The partitions of a table by time: expired rows are dropped with their partition. */
export class DatedPartitions {
  readonly #postgres: Postgres
  readonly #options: Options

  constructor(postgres: Postgres, options: Options) {
    this.#postgres = postgres
    this.#options = options
  }

  /** Bytes on disk of all rows. */
  async size(): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::float8 as bytes
      from pg_inherits where inhparent = ${this.#options.table}::regclass
    `.execute(this.#postgres.db)
    return rows[0]?.bytes ?? 0
  }

  /**
   * Creates the next and the current partition, and drops those whose rows have all expired. Each in a transaction of its
   * own: one that fails does not keep the others from being created or dropped. Throws the first failure at the end.
   */
  async sweep(keepS: number): Promise<void> {
    const { partitionS } = this.#options
    const failures: unknown[] = []
    const attempt = (work: () => Promise<unknown>) => work().catch((error: unknown) => failures.push(error))
    const currentS = Math.floor(Date.now() / 1000 / partitionS) * partitionS
    // The next one first: rows of the current time may be in the default partition already.
    for (const fromS of [currentS + partitionS, currentS]) await attempt(() => this.#create(fromS))
    const oldestS = Date.now() / 1000 - keepS - partitionS
    for (const fromS of await this.#partitions())
      if (fromS < oldestS) await attempt(() => this.#alter(`drop table if exists ${this.#nameOf(fromS)}`))
    await attempt(() => this.#deleteOther(keepS))
    if (failures.length > 0) throw failures[0]
  }

  async #create(fromS: number): Promise<void> {
    const { table, partitionS } = this.#options
    if ((await this.#partitions()).includes(fromS)) return
    // Its rows are found there as well, and deleted when they have expired.
    if (await this.#isInOther(fromS)) return
    await this.#alter(
      `create table if not exists ${this.#nameOf(fromS)} partition of ${table}
       for values from ('${timestampOf(fromS)}') to ('${timestampOf(fromS + partitionS)}')`,
    )
  }

  /**
   * All readers and writers of the table wait while this waits for its lock, which a backup may hold for hours: it gives up,
   * and the next sweep tries again.
   */
  async #alter(statement: string): Promise<void> {
    await this.#postgres.transaction(async (tx) => {
      await sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(tx)
      // One process at a time.
      await sql`select pg_advisory_xact_lock(hashtext(${`${this.#options.table} partitions`}))`.execute(tx)
      await sql.raw(statement).execute(tx)
    })
  }

  /** The start of each. */
  async #partitions(): Promise<number[]> {
    const { table } = this.#options
    const { rows } = await sql<{ name: string }>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass
    `.execute(this.#postgres.db)
    const dated = new RegExp(String.raw`^${table}_(\d+)$`)
    return rows.map(({ name }) => Number(dated.exec(name)?.[1])).filter(Number.isFinite)
  }

  /** Whether rows of this time are in the default partition: then PostgreSQL refuses to create theirs. */
  async #isInOther(fromS: number): Promise<boolean> {
    const { column, partitionS } = this.#options
    const { rows } = await sql`
      select 1 from ${sql.table(this.#other)}
      where ${sql.ref(column)} >= ${timestampOf(fromS)} and ${sql.ref(column)} < ${timestampOf(fromS + partitionS)}
      limit 1
    `.execute(this.#postgres.db)
    return rows.length > 0
  }

  async #deleteOther(keepS: number): Promise<void> {
    while ((await this.#options.deleteOther(keepS, deletedAtOnce)) >= deletedAtOnce);
  }

  get #other(): string {
    return `${this.#options.table}_other`
  }

  #nameOf(fromS: number): string {
    return `${this.#options.table}_${fromS}`
  }
}

const timestampOf = (atS: number) => new Date(atS * 1000).toISOString()
