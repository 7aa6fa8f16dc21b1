import { type Postgres, sql } from '../../engines/postgres.ts'

const partitionS = 6 * 3600

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

  /** Creates the current and the next partition, and drops those whose messages have all expired. */
  async sweep(keepS: number): Promise<void> {
    await this.#postgres.transaction(async (tx) => {
      // One process at a time.
      await sql`select pg_advisory_xact_lock(hashtext('mailbox partitions'))`.execute(tx)
      for (const ahead of [0, 1]) {
        const fromS = (Math.floor(Date.now() / 1000 / partitionS) + ahead) * partitionS
        await sql
          .raw(
            `create table if not exists ${nameOf(fromS)} partition of mailbox
             for values from ('${timestampOf(fromS)}') to ('${timestampOf(fromS + partitionS)}')`,
          )
          .execute(tx)
      }
      const { rows } = await sql<{ name: string }>`
        select inhrelid::regclass::text as name from pg_inherits where inhparent = 'mailbox'::regclass
      `.execute(tx)
      const oldestS = Date.now() / 1000 - keepS - partitionS
      for (const { name } of rows) {
        const fromS = Number(/^mailbox_(\d+)$/.exec(name)?.[1])
        if (fromS < oldestS) await sql.raw(`drop table if exists ${nameOf(fromS)}`).execute(tx)
      }
    })
    await sql`delete from mailbox_other where created_at < now() - make_interval(secs => ${keepS})`.execute(
      this.#postgres.db,
    )
  }
}

const nameOf = (fromS: number) => `mailbox_${fromS}`
const timestampOf = (atS: number) => new Date(atS * 1000).toISOString()
