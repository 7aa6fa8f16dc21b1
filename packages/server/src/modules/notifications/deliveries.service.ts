import type { Executor, Postgres } from '../../engines/postgres.ts'
import { notFound, Refused } from '../../errors.ts'
import { isUuid, newId } from '../../ids.ts'
import type { Limits } from '../../limits.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { DeliveryStore } from './deliveries.store.ts'
import { testContent } from './message.format.ts'
import type { DeliveryFilter, DeliveryRow, DeliveryWithContent } from './notifications.types.ts'
import { noReceiver } from './receivers.service.ts'
import type { ReceiverStore } from './receivers.store.ts'

interface Deps {
  postgres: Postgres
  store: DeliveryStore
  receivers: ReceiverStore
  limits: Limits
  testsPerHour: number
  /** For how long a message is sent again. */
  hours: number
  retentionDays: number
}

const sweepSize = 5000

/** The log of messages. */
export class DeliveryService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** No message has the id of a receiver that is no uuid. */
  page(filter: DeliveryFilter, after: string | undefined, limit: number): Promise<DeliveryRow[]> {
    if (filter.receiverId !== undefined && !isUuid(filter.receiverId)) return Promise.resolve([])
    return this.#deps.store.page(filter, after, limit)
  }

  async get(id: string, tx?: Executor): Promise<DeliveryWithContent> {
    const delivery = isUuid(id) ? await this.#deps.store.find(id, tx) : undefined
    if (!delivery) throw noDelivery()
    return delivery
  }

  /** Also to a receiver that is disabled, which is tested before it is enabled. */
  async test(receiverId: string, by: Actor): Promise<DeliveryRow> {
    const { postgres, store, receivers, limits, testsPerHour, hours } = this.#deps
    if (!isUuid(receiverId)) throw noReceiver()
    const id = newId()
    return postgres.transaction(async (tx) => {
      await store.lockTests(tx, receiverId)
      const receiver = await receivers.lock(tx, receiverId)
      if (!receiver) throw noReceiver()
      const { messages, freeInS } = await store.recent(tx, receiverId, true)
      if (messages >= testsPerHour)
        throw limits.refusal(
          'MANC_NOTIFICATION_TESTS_PER_HOUR',
          'Too many test messages to this receiver. Try again later.',
          Math.max(1, freeInS),
        )
      const message = { subject: 'Test message of MANC', raised: 0, cleared: 0, content: testContent }
      await store.insert(tx, { id, kind: 'test', receiver, route: null, groupKey: null, ...message }, hours)
      const detail = { name: receiver.name }
      await recordAudit(tx, by, { action: 'notification-receiver.test', target: receiverId, detail })
      return this.get(id, tx)
    })
  }

  async retry(id: string, by: Actor): Promise<DeliveryRow> {
    const { postgres, store, receivers, hours } = this.#deps
    const delivery = await this.get(id)
    return postgres.transaction(async (tx) => {
      if (!(await receivers.lock(tx, delivery.receiverId)))
        throw new Refused('conflict', 'The receiver was deleted. Create another one and a route to it.')
      if (!(await store.requeue(tx, id, hours)))
        throw new Refused('conflict', 'Only a message that has failed can be sent again.')
      const detail = { receiver: delivery.receiverName }
      await recordAudit(tx, by, { action: 'notification-delivery.retry', target: id, detail })
      return this.get(id, tx)
    })
  }

  oldestQueuedS(): Promise<number> {
    return this.#deps.store.oldestQueuedS()
  }

  async sweep(): Promise<void> {
    const { store, retentionDays } = this.#deps
    await store.failAbandoned(sweepSize)
    await store.deleteOld(retentionDays, sweepSize)
  }
}

const noDelivery = () => notFound('Delivery')
