import type { Logger } from 'pino'
import type { Tx } from '../../engines/postgres.ts'
import type { RabbitMqManagement } from '../../engines/rabbitmq/index.ts'
import type { DisconnectionStore } from './disconnections.store.ts'

/**
 * By then all replicas have received the revocation and deny the old secret, and a login that was allowed just before
 * has become a connection that can be closed. Without the delay an agent could connect between the two.
 */
const delayMs = 500
const retryAfterMs = 5000
const batchSize = 50

/** Closes the connections of agents that have been deleted, or whose password has changed. */
export class DisconnectionService {
  readonly #store: DisconnectionStore
  readonly #management: RabbitMqManagement | undefined
  readonly #ownName: string
  readonly #log: Logger
  #warned = false

  constructor(deps: {
    store: DisconnectionStore
    management: RabbitMqManagement | undefined
    /** The controller's own user name at the broker: its connections must stay open. */
    ownName: string
    log: Logger
  }) {
    this.#store = deps.store
    this.#management = deps.management
    this.#ownName = deps.ownName
    this.#log = deps.log
  }

  /** In the transaction that deletes the agent or changes its password. */
  request(tx: Tx, apId: string): Promise<void> {
    return this.#store.add(tx, apId, { delayMs, isUrgent: true })
  }

  /** Of an emulated agent, whose emulation has ended: thousands of them do not delay others. */
  requestLater(tx: Tx, apId: string): Promise<void> {
    return this.#store.add(tx, apId, { delayMs, isUrgent: false })
  }

  /** Runs a batch of the due disconnections; false if none is left. */
  async runDue(): Promise<boolean> {
    const management = this.#management
    if (!management) return this.#warnOnce()
    const due = await this.#store.leaseDue(batchSize, retryAfterMs)
    await Promise.all(
      due.map(async ({ id, apId }) => {
        if (apId !== this.#ownName) await management.closeAgentConnections(apId)
        await this.#store.finish(id)
      }),
    )
    return due.length === batchSize
  }

  sweep(): Promise<void> {
    return this.#store.sweep()
  }

  #warnOnce(): false {
    if (!this.#warned)
      this.#log.warn(
        'MANC_RABBITMQ_MANAGEMENT_URL is not set: an agent that is deleted or gets a new password stays connected to the broker until it disconnects. Set it to disconnect these agents at once.',
      )
    this.#warned = true
    return false
  }
}
