import type { NotificationReceiverCreate } from '@manc/contract'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { invalid, notFound, Refused } from '../../errors.ts'
import { isUuid, newId } from '../../ids.ts'
import { newSecret, type Secrets } from '../../secrets.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { DeliveryStore } from './deliveries.store.ts'
import type { NewReceiver, ReceiverRow } from './notifications.types.ts'
import { wrongReceiver } from './receiver-members.rules.ts'
import type { ReceiverStore } from './receivers.store.ts'
import type { RouteStore } from './routes.store.ts'

interface Deps {
  postgres: Postgres
  store: ReceiverStore
  routes: RouteStore
  deliveries: DeliveryStore
  secrets: Secrets
  maxReceivers: number
  onLimit: () => void
  /** Whether webhooks may be at private addresses. */
  mayBePrivate: boolean
}

type WithSecret = ReceiverRow & { secret: string | null }

/** To whom messages are sent. */
export class ReceiverService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  list(): Promise<ReceiverRow[]> {
    return this.#deps.store.all()
  }

  /** The only response with the secret, beside that of its rotation. */
  async create(given: NotificationReceiverCreate, by: Actor): Promise<WithSecret> {
    const { postgres, store, secrets, maxReceivers, onLimit } = this.#deps
    this.#check(given)
    const secret = given.type === 'webhook' ? newSecret() : null
    const receiver = {
      ...receiverOf(given, { id: newId(), by: by.name }),
      secretSealed: secret === null ? null : secrets.seal(secret),
    }
    const created = await postgres.transaction(async (tx) => {
      if ((await store.count(tx)) >= maxReceivers) {
        onLimit()
        throw new Refused('conflict', `There are ${maxReceivers} receivers. Delete one first.`)
      }
      const inserted = await store.insert(tx, receiver)
      const detail = detailOf(receiver)
      await recordAudit(tx, by, { action: 'notification-receiver.create', target: receiver.id, detail })
      return inserted
    })
    return { ...created, secret }
  }

  async update(id: string, given: NotificationReceiverCreate, by: Actor): Promise<ReceiverRow> {
    const { postgres, store } = this.#deps
    return postgres.transaction(async (tx) => {
      const old = await this.#lock(tx, id)
      this.#check(given)
      if (old.type !== given.type)
        throw new Refused('conflict', 'The type of a receiver cannot be changed. Create another receiver.')
      const receiver = receiverOf(given, { id, by: by.name })
      const updated = await store.update(tx, receiver)
      if (!updated) throw noReceiver()
      const detail = detailOf(receiver)
      await recordAudit(tx, by, { action: 'notification-receiver.update', target: id, detail })
      return updated
    })
  }

  async delete(id: string, by: Actor): Promise<void> {
    const { postgres, store, routes, deliveries } = this.#deps
    await postgres.transaction(async (tx) => {
      const { name } = await this.#lock(tx, id)
      const [route] = await routes.namesOf(tx, id)
      if (route !== undefined)
        throw new Refused(
          'conflict',
          `The route "${route}" uses the receiver. Change or delete the route first.`,
        )
      await deliveries.failQueued(tx, id, 'The receiver was deleted.')
      await store.delete(tx, id)
      await recordAudit(tx, by, { action: 'notification-receiver.delete', target: id, detail: { name } })
    })
  }

  async rotateSecret(id: string, by: Actor): Promise<WithSecret> {
    const { postgres, store, secrets } = this.#deps
    const secret = newSecret()
    const changed = await postgres.transaction(async (tx) => {
      const { name, type } = await this.#lock(tx, id)
      if (type !== 'webhook') throw new Refused('conflict', 'Only a webhook has a secret.')
      const updated = await store.setSecret(tx, id, secrets.seal(secret), by.name)
      if (!updated) throw noReceiver()
      const detail = { name }
      await recordAudit(tx, by, { action: 'notification-receiver.rotate-secret', target: id, detail })
      return updated
    })
    return { ...changed, secret }
  }

  async #lock(tx: Tx, id: string): Promise<ReceiverRow> {
    const receiver = isUuid(id) ? await this.#deps.store.lock(tx, id) : undefined
    if (!receiver) throw noReceiver()
    return receiver
  }

  #check(given: NotificationReceiverCreate): void {
    const problems = wrongReceiver(given, { mayBePrivate: this.#deps.mayBePrivate })
    if (problems.length > 0) throw invalid(problems)
  }
}

export const noReceiver = () => notFound('Receiver')

/** Validation has applied the defaults of the contract. */
const receiverOf = (
  given: NotificationReceiverCreate,
  { id, by }: { id: string; by: string },
): NewReceiver => ({
  id,
  name: given.name,
  type: given.type,
  addresses: given.addresses ?? [],
  url: given.url ?? null,
  secretSealed: null,
  isEnabled: given.is_enabled ?? true,
  updatedBy: by,
})

/** The path of a URL may contain a secret. */
const detailOf = ({ name, type, addresses, url, isEnabled }: NewReceiver) => ({
  name,
  type,
  ...(url === null ? { addresses } : { origin: new URL(url).origin }),
  is_enabled: isEnabled,
})
