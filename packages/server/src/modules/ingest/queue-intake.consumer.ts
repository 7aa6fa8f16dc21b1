import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Delivery, Inbox, Subscriber } from '../../engines/rabbitmq/index.ts'
import { Batch, type BatchStore, type IncompleteBatch } from './batch.buffer.ts'
import { isSafe } from './batch-copies.rules.ts'
import type { IngestMetrics } from './ingest.metrics.ts'
import type { ParsedMessage } from './sample-messages.service.ts'

interface Options {
  queue: string
  /** Bytes in memory beyond which written batches are released; if that is not enough, the queue is paused. */
  maxPendingBytes: () => number
  /** Whether the delivery is a probe, and no message of an agent. */
  isProbe: (delivery: Delivery) => boolean
  parse: (delivery: Delivery) => ParsedMessage
  /** Each stores every batch. */
  stores: readonly BatchStore[]
  observed: Pick<IngestMetrics, 'observeBatch' | 'observeLag'>
  log: Logger
}

/**
 * The maximum of AMQP's 16 bits. Messages stay unacknowledged for 15 to 18 s: this allows 3,600 messages per second and
 * queue, also where few agents use the queues unevenly.
 */
const maxUnacknowledged = 65_535
const maxBatchMessages = 1000
const maxBatchBytes = 512 * 1024
const maxBatchAgeMs = 200
const retryAfterMs = 500
const nothing = new Uint8Array()

/**
 * One telemetry queue on its way into the metrics stores. Batches are written one after the other, to each store
 * independently, and acknowledged when they are durable. Until then they are kept in memory, to be written again if a
 * store restarts. If there are too many (one agent may send a large backlog), the memory of written ones is released:
 * after a restart of the store the broker then delivers them again. While the stores are slow or down the batches wait,
 * then the prefetch is used up, then the queue grows: nothing is dropped.
 */
export class QueueIntake implements Subscriber {
  readonly queue: string
  readonly prefetch = maxUnacknowledged
  readonly #options: Options
  #inbox: Inbox | undefined
  #open: Batch | undefined
  /** Closed batches that are not acknowledged yet, oldest first. */
  #pending: Batch[] = []
  #pendingBytes = 0
  #pendingMessages = 0
  /** By store. */
  readonly #isWriting: boolean[]
  #isPaused = false
  /** Undefined: it consumes. Otherwise it acknowledges what it has received, and this is called at the end. */
  #whenDrained: (() => void) | undefined
  /** By store; incremented when writes in progress become invalid: by a restart of the store or a new channel. */
  readonly #generations: number[]
  #timer: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.#options = options
    this.#isWriting = options.stores.map(() => false)
    this.#generations = options.stores.map(() => 0)
    this.queue = options.queue
  }

  /** What is not acknowledged yet. */
  get held(): { bytes: number; messages: number } {
    return { bytes: this.#pendingBytes, messages: this.#pendingMessages }
  }

  opened(inbox: Inbox): void {
    this.#reset()
    this.#inbox = inbox
  }

  /** The broker redelivers unacknowledged messages. A sample that is written twice is stored once. */
  closed(): void {
    this.#reset()
    this.#inbox = undefined
    this.#endDrained()
  }

  /**
   * Stops consuming, so that another ingester receives what follows, and calls `done` when everything that was received
   * is acknowledged.
   */
  drain(done: () => void): void {
    this.#whenDrained = done
    this.#inbox?.pause()
    this.#endDrained()
  }

  received(delivery: Delivery): void {
    if (this.#options.isProbe(delivery)) return this.#inbox?.acknowledge(delivery.tag)
    const { lines, deadLetters } = this.#options.parse(delivery)
    const batch = (this.#open ??= new Batch(this.#options.stores.length))
    const written = batch.lines?.append(lines) ?? 0
    batch.messages += 1
    this.#pendingMessages += 1
    // The message itself is kept in memory only for its dead letters.
    const bytes = written + (deadLetters.length > 0 ? delivery.content.length : 0)
    batch.bytes += bytes
    batch.lastTag = delivery.tag
    batch.deadLetters.push(...deadLetters)
    this.#pendingBytes += bytes
    this.#limitMemory()
    if (batch.messages >= maxBatchMessages || batch.bytes >= maxBatchBytes) this.#closeBatch()
    else this.#timer ??= setTimeout(() => this.#closeBatch(), maxBatchAgeMs)
  }

  /** Writes again what a restart of the store with this number may have lost. */
  rewrite(store: number): void {
    this.#generations[store] = (this.#generations[store] ?? 0) + 1
    for (const batch of this.#pending) batch.writtenAt[store] = undefined
    if (this.#pending.some(({ lines, isWrittenAnywhere }) => !lines && !isWrittenAnywhere))
      this.#receiveAgain()
    else this.#startWriting(store)
  }

  /** The oldest batches, if all that keeps them from being acknowledged is to record which stores miss them. */
  incomplete(): IncompleteBatch[] {
    const { stores } = this.#options
    const end = this.#pending.findIndex((batch) => !isSafe(batch.copies(stores)))
    const safe = end < 0 ? this.#pending : this.#pending.slice(0, end)
    return safe.flatMap((batch) => batch.incomplete(stores) ?? [])
  }

  /** Acknowledges, in order, the batches that have become durable. */
  acknowledge(): void {
    let durable = 0
    while (this.#pending[durable]?.isComplete(this.#options.stores)) durable += 1
    const last = this.#pending[durable - 1]
    if (!last) return
    for (const { bytes, messages } of this.#pending.splice(0, durable)) {
      this.#pendingBytes -= bytes
      this.#pendingMessages -= messages
    }
    this.#inbox?.acknowledgeUpTo(last.lastTag)
    this.#limitMemory()
    this.#endDrained()
  }

  #endDrained(): void {
    if (this.#pendingMessages === 0) this.#whenDrained?.()
  }

  #limitMemory(): void {
    const maxPendingBytes = this.#options.maxPendingBytes()
    if (this.#pendingBytes > maxPendingBytes) this.#releaseWritten()
    if (this.#whenDrained) return
    if (!this.#isPaused && this.#pendingBytes > maxPendingBytes) {
      this.#isPaused = true
      this.#inbox?.pause()
    } else if (this.#isPaused && this.#pendingBytes < maxPendingBytes / 2) {
      this.#isPaused = false
      this.#inbox?.resume()
    }
  }

  #releaseWritten(): void {
    for (const batch of this.#pending) {
      if (this.#pendingBytes < this.#options.maxPendingBytes() / 2) return
      if (batch.lines !== undefined && this.#isWrittenWherePossible(batch))
        this.#pendingBytes -= batch.release()
    }
  }

  /** On a new channel the broker delivers all unacknowledged messages again. */
  #receiveAgain(): void {
    const inbox = this.#inbox
    this.closed()
    inbox?.reopen()
  }

  #isWrittenWherePossible({ writtenAt, isWrittenAnywhere }: Batch): boolean {
    return isWrittenAnywhere && writtenAt.every((at, n) => at !== undefined || this.#goesOnWithout(n))
  }

  /** Whether the other stores do not wait for this one. */
  #goesOnWithout(store: number): boolean {
    const { stores } = this.#options
    return stores.length > 1 && stores[store]?.isOut === true
  }

  #closeBatch(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#open) {
      this.#open.lines?.trim()
      this.#pending.push(this.#open)
    }
    this.#open = undefined
    for (const store of this.#options.stores.keys()) this.#startWriting(store)
  }

  #startWriting(store: number): void {
    if (this.#isWriting[store]) return
    this.#isWriting[store] = true
    void this.#writeAll(store).finally(() => {
      this.#isWriting[store] = false
    })
  }

  async #writeAll(number: number): Promise<void> {
    const store = this.#options.stores[number]
    if (!store) return
    for (let batch = this.#nextUnwritten(number); batch; batch = this.#nextUnwritten(number)) {
      const generation = this.#generations[number]
      // Taken now: the batch may be released while it is written.
      const bytes = batch.lines?.bytes ?? nothing
      const startedAt = performance.now()
      const observe = (outcome: 'written' | 'failed') =>
        this.#options.observed.observeBatch({ outcome }, (performance.now() - startedAt) / 1000)
      try {
        await batch.publishDeadLetters()
        if (bytes.length > 0) await store.write(bytes)
        // Readers get it from the first store that has it.
        const isFirst = !batch.isWrittenAnywhere
        // After a restart of the store meanwhile it is unknown which of its instances has the batch: write it again.
        if (generation === this.#generations[number]) {
          batch.writtenAt[number] = store.writtenAt
          this.#limitMemory()
        }
        observe('written')
        if (isFirst) this.#options.observed.observeLag({}, (performance.now() - batch.since) / 1000)
      } catch (error) {
        observe('failed')
        // That it is out was logged.
        if (!this.#goesOnWithout(number))
          this.#options.log.warn(
            { err: error, queue: this.queue, store: store.name },
            'a batch could not be written; retrying',
          )
        await sleep(retryAfterMs)
      }
    }
  }

  #nextUnwritten(store: number): Batch | undefined {
    return this.#pending.find(({ lines, writtenAt }) => lines && writtenAt[store] === undefined)
  }

  #reset(): void {
    for (const store of this.#generations.keys())
      this.#generations[store] = (this.#generations[store] ?? 0) + 1
    this.#isPaused = false
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#open = undefined
    this.#pending = []
    this.#pendingBytes = 0
    this.#pendingMessages = 0
  }
}
