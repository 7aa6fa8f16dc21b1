import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Delivery, Inbox, Subscriber } from '../../engines/rabbitmq/index.ts'
import type { IngestMetrics } from './ingest.metrics.ts'
import { LinesBuffer } from './lines.buffer.ts'
import type { DeadLetter, ParsedMessage } from './sample-messages.service.ts'

/** Messages that are written and acknowledged as one. */
interface Batch {
  /** Undefined: released after the write. */
  lines: LinesBuffer | undefined
  messages: number
  bytes: number
  lastTag: number
  /** When the first message arrived. */
  since: number
  /** Samples that could not be stored, to be published to the dead-letter exchange. */
  deadLetters: DeadLetter[]
  /** When the store acknowledged the write; undefined: not written, or lost by a restart of the store. */
  writtenAt: number | undefined
}

interface Options {
  queue: string
  prefetch: number
  priority: number
  /** Bytes in memory beyond which written batches are released; if that is not enough, the queue is paused. */
  maxPendingBytes: number
  parse: (delivery: Delivery) => ParsedMessage
  write: (lines: Uint8Array) => Promise<void>
  /** The store's uptime now, and whether a write at that time is durable. */
  writtenAt: () => number
  isDurable: (writtenAt: number) => boolean
  observed: Pick<IngestMetrics, 'observeBatch' | 'observeLag'>
  log: Logger
}

const maxBatchMessages = 1000
const maxBatchBytes = 512 * 1024
const maxBatchAgeMs = 200
const maxConcurrentPublishes = 1000
const retryAfterMs = 500

/**
 * One telemetry queue on its way into the metrics store. Batches are written one after the other, and acknowledged when
 * they are durable. Until then they are kept in memory, to be written again if the store restarts. If there are too many
 * (one agent may send a large backlog), the memory of written ones is released: after a restart of the store the broker
 * then delivers them again. While the store is slow or down the batches wait, then the prefetch is used up, then the
 * queue grows: nothing is dropped.
 */
export class QueueIntake implements Subscriber {
  readonly queue: string
  readonly prefetch: number
  readonly priority: number
  readonly #options: Options
  #inbox: Inbox | undefined
  #open: Batch | undefined
  /** Closed batches that are not acknowledged yet, oldest first. */
  #pending: Batch[] = []
  #pendingBytes = 0
  #pendingMessages = 0
  #isWriting = false
  #isPaused = false
  /** Incremented when writes in progress become invalid: by a restart of the store or a new channel. */
  #generation = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.#options = options
    this.queue = options.queue
    this.prefetch = options.prefetch
    this.priority = options.priority
  }

  /** Whether every message of the queue has been received: neither the broker nor this process holds any back. */
  get isCurrent(): boolean {
    return this.#inbox !== undefined && !this.#isPaused && this.#pendingMessages < this.prefetch
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
  }

  received(delivery: Delivery): void {
    const { lines, deadLetters } = this.#options.parse(delivery)
    const batch = (this.#open ??= emptyBatch())
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

  /** Writes again what a restart of the store may have lost. */
  rewrite(): void {
    if (this.#pending.some(({ lines }) => lines === undefined)) return this.#receiveAgain()
    this.#generation += 1
    for (const batch of this.#pending) batch.writtenAt = undefined
    this.#startWriting()
  }

  /** Acknowledges, in order, the batches that have become durable. */
  acknowledge(): void {
    let durable = 0
    while (this.#isDurable(this.#pending[durable])) durable += 1
    const last = this.#pending[durable - 1]
    if (!last) return
    for (const { bytes, messages } of this.#pending.splice(0, durable)) {
      this.#pendingBytes -= bytes
      this.#pendingMessages -= messages
    }
    this.#inbox?.acknowledgeUpTo(last.lastTag)
    this.#limitMemory()
  }

  #limitMemory(): void {
    const { maxPendingBytes } = this.#options
    if (this.#pendingBytes > maxPendingBytes) this.#releaseWritten()
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
      if (this.#pendingBytes < this.#options.maxPendingBytes / 2) return
      if (batch.writtenAt === undefined || batch.lines === undefined) continue
      this.#pendingBytes -= batch.bytes
      batch.bytes = 0
      batch.lines = undefined
    }
  }

  /** On a new channel the broker delivers all unacknowledged messages again. */
  #receiveAgain(): void {
    const inbox = this.#inbox
    this.closed()
    inbox?.reopen()
  }

  #isDurable(batch: Batch | undefined): boolean {
    return batch?.writtenAt !== undefined && this.#options.isDurable(batch.writtenAt)
  }

  #closeBatch(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#open) {
      this.#open.lines?.trim()
      this.#pending.push(this.#open)
    }
    this.#open = undefined
    this.#startWriting()
  }

  #startWriting(): void {
    if (this.#isWriting) return
    this.#isWriting = true
    void this.#writeAll().finally(() => {
      this.#isWriting = false
    })
  }

  async #writeAll(): Promise<void> {
    for (let batch = this.#nextUnwritten(); batch; batch = this.#nextUnwritten()) {
      const generation = this.#generation
      const startedAt = performance.now()
      const observe = (outcome: 'written' | 'failed') =>
        this.#options.observed.observeBatch({ outcome }, (performance.now() - startedAt) / 1000)
      try {
        await publishAll(batch.deadLetters)
        if (batch.lines && batch.lines.bytes.length > 0) await this.#options.write(batch.lines.bytes)
        // After a restart of the store meanwhile it is unknown which of its instances has the batch: write it again.
        if (generation === this.#generation) {
          batch.writtenAt = this.#options.writtenAt()
          this.#limitMemory()
        }
        observe('written')
        this.#options.observed.observeLag({}, (performance.now() - batch.since) / 1000)
      } catch (error) {
        observe('failed')
        this.#options.log.warn({ err: error, queue: this.queue }, 'a batch could not be written; retrying')
        await sleep(retryAfterMs)
      }
    }
  }

  #nextUnwritten(): Batch | undefined {
    return this.#pending.find(({ writtenAt }) => writtenAt === undefined)
  }

  #reset(): void {
    this.#generation += 1
    this.#isPaused = false
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#open = undefined
    this.#pending = []
    this.#pendingBytes = 0
    this.#pendingMessages = 0
  }
}

const emptyBatch = (): Batch => ({
  lines: new LinesBuffer(),
  messages: 0,
  bytes: 0,
  lastTag: 0,
  since: performance.now(),
  deadLetters: [],
  writtenAt: undefined,
})

/** The adapter limits unconfirmed publishes. Those that were confirmed are removed, so that a retry skips them. */
async function publishAll(deadLetters: DeadLetter[]): Promise<void> {
  for (; deadLetters.length > 0; deadLetters.splice(0, maxConcurrentPublishes))
    await Promise.all(deadLetters.slice(0, maxConcurrentPublishes).map((publish) => publish()))
}
