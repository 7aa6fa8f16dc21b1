import type { NotificationDelivery, NotificationReceiver, NotificationRoute } from '@manc/contract'
import { placeholders } from './names.ts'
import { type Parties, send, until } from './parties.ts'
import { deletedAt, type Kind } from './record-kinds.ts'

/** The last receiver sends e-mails. */
const receiverOf = (index: number) =>
  index === placeholders.receivers.length - 1
    ? { name: `receiver ${index}`, type: 'email', addresses: ['receiver@fuzz.test'] }
    : { name: `receiver ${index}`, type: 'webhook', url: 'https://hooks.fuzz.test/' }

/** Receivers, routes, and messages that were given up: the name of their webhook has a private address. */
export class NotificationRecords {
  readonly #parties: Parties
  /** Of the routes and the messages. Requests do not change it. */
  #receiver = ''

  constructor(parties: Parties) {
    this.#parties = parties
  }

  async create(): Promise<void> {
    const body = { name: 'refuses', type: 'webhook', url: 'http://localhost:9/' }
    const receiver: NotificationReceiver = await send(this.#parties, 'POST', 'notification_receivers', body)
    this.#receiver = receiver.id
    for (const placeholder of placeholders.deliveries)
      this.#parties.ids.set(placeholder, await this.#failedDelivery())
  }

  get receivers(): Kind {
    return {
      placeholders: placeholders.receivers,
      list: 'notification_receivers',
      isUsable: () => true,
      create: async (index) =>
        (await send(this.#parties, 'POST', 'notification_receivers', receiverOf(index))).id,
      remove: deletedAt('notification_receivers', ({ id }) => id !== this.#receiver),
    }
  }

  get routes(): Kind {
    return {
      placeholders: placeholders.routes,
      list: 'notification_routes',
      // A receiver that a route uses cannot be deleted.
      isUsable: ({ receiver_id: receiver, escalate_to: next }) =>
        receiver === this.#receiver && next === null,
      create: async (index) => {
        const body = { name: `route ${index}`, receiver_id: this.#receiver }
        const route: NotificationRoute = await send(this.#parties, 'POST', 'notification_routes', body)
        return route.id
      },
      remove: deletedAt('notification_routes'),
    }
  }

  async #failedDelivery(): Promise<string> {
    const { id }: NotificationDelivery = await send(
      this.#parties,
      'POST',
      `notification_receivers/${this.#receiver}/test`,
    )
    return until('a message was given up', async () => {
      const { status }: NotificationDelivery = await send(
        this.#parties,
        'GET',
        `notification_deliveries/${id}`,
      )
      return status === 'failed' ? id : undefined
    })
  }
}
