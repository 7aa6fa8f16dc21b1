import type { Logger } from 'pino'
import type { Tx } from '../../engines/postgres.ts'
import type { RabbitMqManagement } from '../../engines/rabbitmq/index.ts'
import type { DisconnectionStore } from './disconnections.store.ts'

/**
 * By then every replica knows of the change and refuses the agent's old secret, and a login that was allowed just
 * before is a connection that can be closed: nobody slips in between.
 */
const afterMs = 500
const tryAgainAfterMs = 5000
const atOnce = 50

/** Closes the connections of agents that have been deleted, or whose password has changed. */
export class DisconnectionService {
  readonly #store: DisconnectionStore
  readonly #management: RabbitMqManagement | undefined
  readonly #ownName: string
  readonly #log: Logger
  #warned = false

  constructor(parts: {
    store: DisconnectionStore
    management: RabbitMqManagement | undefined
    /** The controller's own name at the broker: its connections are not an agent's. */
    ownName: string
    log: Logger
  }) {
    this.#store = parts.store
    this.#management = parts.management
    this.#ownName = parts.ownName
    this.#log = parts.log
  }

  /** Part of the change that shuts the agent out: it happens if, and only if, that does. */
  request(tx: Tx, apId: string): Promise<void> {
    return this.#store.add(tx, apId, afterMs)
  }

  /** Serves what is due; false where nothing is left for now. */
  async serveDue(): Promise<boolean> {
    const management = this.#management
    if (!management) return this.#cannot()
    const due = await this.#store.takeDue(atOnce, tryAgainAfterMs)
    await Promise.all(
      due.map(async ({ id, apId }) => {
        if (apId !== this.#ownName) await management.closeConnections(apId)
        await this.#store.finish(id)
      }),
    )
    return due.length === atOnce
  }

  sweep(): Promise<void> {
    return this.#store.sweep()
  }

  #cannot(): false {
    if (!this.#warned)
      this.#log.warn(
        'MANC_RABBITMQ_MANAGEMENT_URL is not set: an agent that is deleted or gets a new password stays connected to the broker until it disconnects',
      )
    this.#warned = true
    return false
  }
}
