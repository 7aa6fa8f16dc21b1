import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import type {
  DeliveryFilter,
  DeliveryRow,
  DeliveryWithContent,
  LeasedDelivery,
  NewDelivery,
} from './notifications.types.ts'

const columns = sql`d.id, d.kind, d.receiver_id as "receiverId", d.receiver_name as "receiverName", d.type,
  d.route_id as "routeId", d.route_name as "routeName", d.group_key as "groupKey", d.subject, d.raised, d.cleared,
  d.status, d.attempts, d.created_at as "createdAt", d.next_attempt_at as "nextAttemptAt", d.sent_at as "sentAt",
  d.status_code as "statusCode", d.error`

/** Longer than an attempt takes. The messages of a process that was killed are sent by another after this time. */
const leaseS = { webhook: 20, email: 120 }

/** Attempts, about ten minutes, after which a message that fails does not hold back later ones of its group. */
const maxBlocking = 8

/** The result of an attempt that failed. */
export interface Failure {
  statusCode: number | null
  error: string
  /** Undefined: it is not sent again. */
  retryInS: number | undefined
  /** Of an e-mail that other addresses have got: it is sent again to these only. */
  addressesLeft?: readonly string[]
}

/** The only writer of the table `notification_deliveries`. */
export class DeliveryStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async insert(tx: Executor, delivery: NewDelivery, hours: number): Promise<void> {
    const { receiver, route } = delivery
    await tx
      .insertInto('notification_deliveries')
      .values({
        id: delivery.id,
        kind: delivery.kind,
        receiver_id: receiver.id,
        receiver_name: receiver.name,
        type: receiver.type,
        route_id: route?.id ?? null,
        route_name: route?.name ?? null,
        group_key: delivery.groupKey,
        subject: delivery.subject,
        raised: delivery.raised,
        cleared: delivery.cleared,
        content: JSON.stringify(delivery.content),
        next_attempt_at: sql<Date>`now()`,
        give_up_at: sql<Date>`now() + make_interval(hours => ${hours})`,
      })
      .execute()
  }

  /** The newest first. */
  async page(filter: DeliveryFilter, after: string | undefined, limit: number): Promise<DeliveryRow[]> {
    const { receiverId, status } = filter
    const { rows } = await sql<DeliveryRow>`
      select ${columns} from notification_deliveries as d
      where ${after === undefined ? sql`true` : sql`d.id < ${after}::uuid`}
        and ${receiverId === undefined ? sql`true` : sql`d.receiver_id = ${receiverId}::uuid`}
        and ${status === undefined ? sql`true` : sql`d.status = ${status}`}
      order by d.id desc limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  async find(id: string, db: Executor = this.#postgres.db): Promise<DeliveryWithContent | undefined> {
    const { rows } = await sql<DeliveryWithContent>`
      select ${columns}, d.content from notification_deliveries as d where d.id = ${id}::uuid
    `.execute(db)
    return rows[0]
  }

  /** Messages to a receiver that were queued within the last hour, and in how many seconds one of them is older. */
  async recent(
    tx: Executor,
    receiverId: string,
    isTest: boolean,
  ): Promise<{ messages: number; freeInS: number }> {
    const { rows } = await sql<{ messages: number; freeInS: number }>`
      select count(*)::int as messages,
        coalesce(ceil(extract(epoch from min(created_at) + interval '1 hour' - now())), 0)::int as "freeInS"
      from notification_deliveries
      where receiver_id = ${receiverId}::uuid and created_at > now() - interval '1 hour'
        and (kind = 'test') = ${isTest}
    `.execute(tx)
    return rows[0] ?? { messages: 0, freeInS: 0 }
  }

  /** Of two tests of a receiver at the same time, one waits for the other. */
  async lockTests(tx: Executor, receiverId: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtext(${`notification test ${receiverId}`}))`.execute(tx)
  }

  /**
   * Takes the next due message of each receiver except those that are busy. Concurrent callers take different ones. A
   * message waits for earlier ones of its group, so that "cleared" does not come before "raised", unless these fail again
   * and again, or some of their addresses have got them.
   */
  async takeDue(busyReceivers: readonly string[], max: number): Promise<LeasedDelivery[]> {
    const { rows } = await sql<LeasedDelivery>`
      update notification_deliveries as d
      set attempts = d.attempts + 1, leased_until = now() + make_interval(secs =>
        case when d.type = 'webhook' then ${leaseS.webhook}::int else ${leaseS.email}::int end)
      from notification_receivers as r
      where r.id = d.receiver_id and d.id = any(array(
        select due.id from notification_receivers as free cross join lateral (
          select q.id, q.next_attempt_at from notification_deliveries as q
          where q.receiver_id = free.id and q.next_attempt_at <= now()
            and (q.leased_until is null or q.leased_until < now())
            and not exists (
              select from notification_deliveries as earlier
              where earlier.route_id = q.route_id and earlier.group_key = q.group_key
                and earlier.receiver_id = q.receiver_id and earlier.next_attempt_at is not null
                and earlier.attempts < ${maxBlocking} and earlier.addresses_left is null
                and (earlier.created_at, earlier.id) < (q.created_at, q.id))
          order by q.next_attempt_at limit 1 for update skip locked) as due
        where free.id <> all(${busyReceivers}::uuid[]) order by due.next_attempt_at limit ${max}))
      returning ${columns}, d.content, d.give_up_at as "giveUpAt", d.addresses_left as "addressesLeft", json_build_object('name', r.name,
        'addresses', r.addresses, 'url', r.url, 'isEnabled', r.is_enabled) as receiver,
        r.secret_sealed as "secretSealed"
    `.execute(this.#postgres.db)
    return rows.map((row) => {
      const { secretSealed, receiver, ...delivery } = row as unknown as LeasedDelivery & {
        secretSealed: Buffer | null
      }
      // The driver returns JSON as text.
      const read = (typeof receiver === 'string' ? JSON.parse(receiver) : receiver) as typeof receiver
      return { ...delivery, receiver: { ...read, secretSealed } }
    })
  }

  /** Also after the end of the lease: it was sent, whatever another process has stored in the meantime. */
  async markSent(
    { id }: Pick<DeliveryRow, 'id'>,
    { statusCode, note }: { statusCode: number | null; note: string | null },
  ): Promise<void> {
    await sql`
      update notification_deliveries set status = 'sent', sent_at = now(), next_attempt_at = null,
        leased_until = null, status_code = ${statusCode}, error = ${note}
      where id = ${id}::uuid and status <> 'sent'
    `.execute(this.#postgres.db)
  }

  /**
   * After a success the other messages to a receiver do not wait for the end of their back-off. That some addresses are
   * refused has another cause.
   */
  async endWaits(receiverId: string): Promise<void> {
    await sql`
      update notification_deliveries set next_attempt_at = now() where id = any(array(
        select id from notification_deliveries
        where receiver_id = ${receiverId}::uuid and next_attempt_at > now() and leased_until is null
          and addresses_left is null
        for update skip locked))
    `.execute(this.#postgres.db)
  }

  /** Whether it was given up. A process whose lease has ended changes nothing. */
  async markFailed(
    { id, attempts }: Pick<DeliveryRow, 'id' | 'attempts'>,
    { statusCode, error, retryInS, addressesLeft }: Failure,
  ): Promise<boolean> {
    const nextAt =
      retryInS === undefined ? sql`null::timestamptz` : sql`now() + make_interval(secs => ${retryInS})`
    const { rows } = await sql<{ status: string }>`
      update notification_deliveries set leased_until = null, status_code = ${statusCode}, error = ${error},
        next_attempt_at = case when ${nextAt} < give_up_at then ${nextAt} end,
        status = case when ${nextAt} < give_up_at then 'queued' else 'failed' end,
        addresses_left = ${addressesLeft === undefined ? sql`addresses_left` : sql`${addressesLeft}::text[]`}
      where id = ${id}::uuid and attempts = ${attempts} and status = 'queued'
      returning status
    `.execute(this.#postgres.db)
    return rows[0]?.status === 'failed'
  }

  async failQueued(tx: Executor, receiverId: string, error: string): Promise<void> {
    await sql`
      update notification_deliveries set status = 'failed', error = ${error}, next_attempt_at = null,
        leased_until = null
      where receiver_id = ${receiverId}::uuid and next_attempt_at is not null
    `.execute(tx)
  }

  /** With a new back-off. False if it is not failed. */
  async requeue(tx: Executor, id: string, hours: number): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      update notification_deliveries set status = 'queued', next_attempt_at = now(), attempts = 0,
        give_up_at = now() + make_interval(hours => ${hours})
      where id = ${id}::uuid and status = 'failed'
    `.execute(tx)
    return numAffectedRows > 0n
  }

  /** Messages that no process takes any more: their receiver is gone, or they should have been given up an hour ago. */
  async failAbandoned(max: number): Promise<void> {
    await sql`
      update notification_deliveries set status = 'failed', next_attempt_at = null, leased_until = null,
        error = coalesce(error, 'It could not be sent in time, or its receiver was deleted.')
      where id = any(array(
        select d.id from notification_deliveries as d
        where d.next_attempt_at is not null and (d.leased_until is null or d.leased_until < now())
          and (d.give_up_at < now() - interval '1 hour'
            or not exists (select from notification_receivers as r where r.id = d.receiver_id))
        limit ${max} for update skip locked))
    `.execute(this.#postgres.db)
  }

  /** Age of the oldest message that is not sent yet; 0 if there is none. */
  async oldestQueuedS(): Promise<number> {
    const { rows } = await sql<{ s: number }>`
      select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as s
      from notification_deliveries where next_attempt_at is not null
    `.execute(this.#postgres.db)
    return rows[0]?.s ?? 0
  }

  async deleteOld(keepDays: number, max: number): Promise<void> {
    await sql`
      delete from notification_deliveries where id = any(array(
        select id from notification_deliveries
        where created_at < now() - make_interval(days => ${keepDays}) and next_attempt_at is null limit ${max}))
    `.execute(this.#postgres.db)
  }
}
