import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Horizon } from '../../engines/postgres.horizon.ts'
import type { DatedPartitions } from '../../engines/postgres.partitions.ts'
import type { RabbitMq } from '../../engines/rabbitmq/index.ts'
import { Loop } from '../../loop.ts'
import type { MailboxStore } from './mailbox.store.ts'
import type { StoredMessage } from './mailbox.types.ts'
import type { ReplicaStore } from './replicas.store.ts'

interface Options {
  store: MailboxStore
  partitions: DatedPartitions
  replicas: ReplicaStore
  rabbitMq: RabbitMq
  keepS: number
  /** On disk, of all mailboxes. */
  maxBytes: number
  log: Logger
}

/** Called for every job that has a new message, with its number if it is known, or a new reader. */
type Listener = (jobNumber: string, seq?: number) => void

const pollIntervalMs = 400
const heartbeatIntervalMs = 2000
const measureIntervalMs = 5000

/** Notifies the replica that holds a job's WebSocket of new messages, and bounds the size of all mailboxes. */
export class MailboxService {
  /** The id of this process. */
  readonly replica = randomUUID()
  readonly #options: Options
  readonly #loops: Loop[]
  #horizon: Horizon | undefined
  /** On disk; undefined until it is measured. */
  #bytes: number | undefined
  #listener: Listener = () => {}

  constructor(options: Options) {
    this.#options = options
    options.rabbitMq.onWakeUp('mailbox', ({ job, seq, from }) => {
      if (from === this.replica || typeof job !== 'string') return
      this.#listener(job, typeof seq === 'number' ? seq : undefined)
    })
    const { log, replicas } = options
    this.#loops = [
      new Loop({ name: 'polling the mailbox', intervalMs: pollIntervalMs, log, run: () => this.#poll() }),
      new Loop({
        name: 'replica heartbeat',
        intervalMs: heartbeatIntervalMs,
        log,
        run: () => replicas.heartbeat(this.replica),
      }),
      new Loop({
        name: 'measuring the mailbox',
        intervalMs: measureIntervalMs,
        log,
        run: () => this.#measure(),
      }),
    ]
  }

  /** Whether the mailboxes have reached their limit on disk. */
  get isFull(): boolean {
    return this.#bytes !== undefined && this.#bytes > this.#options.maxBytes
  }

  /** Whether there is space for results that were delivered: they never use what undelivered ones need. */
  get hasSpaceToKeep(): boolean {
    return this.#bytes === undefined || this.#bytes < this.#options.maxBytes / 4
  }

  get bytes(): number | undefined {
    return this.#bytes
  }

  start(listener: Listener): void {
    this.#listener = listener
    for (const loop of this.#loops) loop.start()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()))
  }

  /** To call after the transaction that stored the message. */
  notify(jobNumber: string, seq?: number): void {
    this.#listener(jobNumber, seq)
    this.notifyOthers(jobNumber, seq)
  }

  notifyOthers(jobNumber: string, seq?: number): void {
    this.#options.rabbitMq.wakeUp({ type: 'mailbox', job: jobNumber, seq, from: this.replica })
  }

  /** The messages of a job after `seq`, also those that were delivered. */
  page(jobNumber: string, seq: number, size: { limit: number; maxBytes: number }): Promise<StoredMessage[]> {
    return this.#options.store.page(jobNumber, seq, size)
  }

  /** When a message of this time is deleted, at the latest. */
  expiryOf(at: Date): Date {
    return new Date(at.getTime() + this.#options.keepS * 1000)
  }

  /** Before the first message. Without its partition a message is stored in the default one. */
  async prepare(): Promise<void> {
    try {
      await this.sweep()
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the partitions of the mailbox are not current; retrying')
    }
  }

  async sweep(): Promise<void> {
    const { partitions, replicas, keepS } = this.#options
    await partitions.sweep(keepS)
    await replicas.sweep()
  }

  /** Notifications may be lost with the broker: polling finds what they missed. */
  async #poll(): Promise<void> {
    const { posted, horizon } = await this.#options.store.postedSince(this.#horizon)
    this.#horizon = horizon
    for (const { jobNumber, seq } of posted) this.#listener(jobNumber, seq)
  }

  async #measure(): Promise<void> {
    this.#bytes = await this.#options.partitions.size()
  }
}
