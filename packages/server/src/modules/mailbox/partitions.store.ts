import { type Postgres, sql } from '../../engines/postgres.ts'

const partitionS = 6 * 3600
/** Requests wait for up to 1.5 s. */
const lockTimeoutMs = 500
/** A statement has to end within the time limit of queries. */
const deletedAtOnce = 5000

/** The partitions of the mailbox table: expired messages are dropped with their partition. */
export class PartitionStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Bytes on disk of all messages, read or not. */
  async size(): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::float8 as bytes
      from pg_inherits where inhparent = 'mailbox'::regclass
    `.execute(this.#postgres.db)
    return rows[0]?.bytes ?? 0
  }

  /**
   * Creates the next and the current partition, and drops those whose messages have all expired. Each in a transaction of
   * its own: one that fails does not keep the others from being created or dropped. Throws the first failure at the end.
   */
  async sweep(keepS: number): Promise<void> {
    const failures: unknown[] = []
    const attempt = (work: () => Promise<unknown>) => work().catch((error: unknown) => failures.push(error))
    const currentS = Math.floor(Date.now() / 1000 / partitionS) * partitionS
    // The next one first: messages of the current time may be in the default partition already.
    for (const fromS of [currentS + partitionS, currentS]) await attempt(() => this.#create(fromS))
    const oldestS = Date.now() / 1000 - keepS - partitionS
    for (const fromS of await this.#partitions())
      if (fromS < oldestS) await attempt(() => this.#alter(`drop table if exists ${nameOf(fromS)}`))
    await attempt(() => this.#deleteOther(keepS))
    if (failures.length > 0) throw failures[0]
  }

  async #create(fromS: number): Promise<void> {
    if ((await this.#partitions()).includes(fromS)) return
    // Its messages are found there as well, and deleted when they have expired.
    if (await this.#isInOther(fromS)) return
    await this.#alter(
      `create table if not exists ${nameOf(fromS)} partition of mailbox
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
      await sql`select pg_advisory_xact_lock(hashtext('mailbox partitions'))`.execute(tx)
      await sql.raw(statement).execute(tx)
    })
  }

  /** The start of each. */
  async #partitions(): Promise<number[]> {
    const { rows } = await sql<{ name: string }>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'mailbox'::regclass
    `.execute(this.#postgres.db)
    return rows.map(({ name }) => Number(/^mailbox_(\d+)$/.exec(name)?.[1])).filter(Number.isFinite)
  }

  /** Whether messages of this time are in the default partition: then PostgreSQL refuses to create theirs. */
  async #isInOther(fromS: number): Promise<boolean> {
    const { rows } = await sql`
      select 1 from mailbox_other where created_at >= ${timestampOf(fromS)} and created_at < ${timestampOf(fromS + partitionS)}
      limit 1
    `.execute(this.#postgres.db)
    return rows.length > 0
  }

  async #deleteOther(keepS: number): Promise<void> {
    for (;;) {
      const { numAffectedRows = 0n } = await sql`
        delete from mailbox_other where ctid = any(array(
          select ctid from mailbox_other where created_at < now() - make_interval(secs => ${keepS}) limit ${deletedAtOnce}))
      `.execute(this.#postgres.db)
      if (numAffectedRows < deletedAtOnce) return
    }
  }
}

const nameOf = (fromS: number) => `mailbox_${fromS}`
const timestampOf = (atS: number) => new Date(atS * 1000).toISOString()
