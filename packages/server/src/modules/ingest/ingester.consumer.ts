import { telemetryQueues } from '@manc/contract'
import type { Logger } from 'pino'
import type { Delivery, RabbitMq } from '../../engines/rabbitmq/index.ts'
import type { Victoria } from '../../engines/victoria.ts'
import { Loop } from '../../loop.ts'
import type { Metrics } from '../../metrics.ts'
import { defineHeldMetrics, type IngestMetrics } from './ingest.metrics.ts'
import { QueueIntake } from './queue-intake.consumer.ts'
import type { ParsedMessage, SampleMessageService } from './sample-messages.service.ts'
import { StoreDurability } from './store-durability.loop.ts'

interface Deps {
  rabbitMq: RabbitMq
  victoria: Victoria
  messages: SampleMessageService
  /** Of all queues. */
  maxPendingBytes: number
  metrics: Metrics
  observed: IngestMetrics
  log: Logger
}

/**
 * The maximum of AMQP's 16 bits. Messages stay unacknowledged for 15 to 18 s: this allows 3,600 messages per second and
 * queue, also where few agents use the queues unevenly.
 */
const prefetch = 65_535
/** After a new series, how long samples are made readable at once. */
const newSeriesFlushMs = 3000
/** With the batch delay before and the cached reads after it, a sample is readable in less than 2 s. */
const minFlushIntervalMs = 650
/** Up to this much written data a flush costs the metrics store little. */
const cheapFlushBytes = 256 * 1024

/** Consumes telemetry from the broker, writes it to the metrics store, and acknowledges it once it is durable. */
export class Ingester {
  readonly #deps: Deps
  readonly #durability: StoreDurability
  readonly #intakes: QueueIntake[]
  readonly #flushing: Loop
  #flushUntil = Number.NEGATIVE_INFINITY
  #flushedAt = Number.NEGATIVE_INFINITY
  #bytesSinceFlush = 0

  constructor(deps: Deps) {
    this.#deps = deps
    const priorities = shuffled(telemetryQueues.keys())
    this.#intakes = telemetryQueues.map(
      (queue, n) =>
        new QueueIntake({
          queue,
          prefetch,
          priority: priorities[n] ?? 0,
          maxPendingBytes: maxPendingBytesOf(deps),
          parse: (delivery) => this.#parse(delivery),
          write: (lines) => this.#write(lines),
          writtenAt: () => this.#durability.writtenAt,
          isDurable: (writtenAt) => this.#durability.isDurable(writtenAt),
          observed: deps.observed,
          log: deps.log,
        }),
    )
    this.#durability = new StoreDurability({
      victoria: deps.victoria,
      log: deps.log,
      afterPoll: (hasRestarted) => this.#afterPoll(hasRestarted),
    })
    this.#flushing = new Loop({
      name: 'making samples readable',
      intervalMs: 100,
      log: deps.log,
      run: () => this.#flush(),
    })
  }

  start(): void {
    defineHeldMetrics(this.#deps.metrics, this.#intakes, maxPendingBytesOf(this.#deps))
    for (const intake of this.#intakes) this.#deps.rabbitMq.subscribe(intake)
    this.#durability.start()
    this.#flushing.start()
  }

  /** What is not durable yet stays unacknowledged, and the broker redelivers it. */
  async stop(): Promise<void> {
    await this.#durability.stop()
    await this.#flushing.stop()
  }

  /** Whether every sample that the broker has accepted has been received here. */
  get isCurrent(): boolean {
    return this.#intakes.every((intake) => intake.isCurrent)
  }

  #parse(delivery: Delivery): ParsedMessage {
    const parsed = this.#deps.messages.parse(delivery)
    if (parsed.hasNewSeries) this.#flushUntil = performance.now() + newSeriesFlushMs
    return parsed
  }

  #afterPoll(hasRestarted: boolean): void {
    if (hasRestarted) {
      this.#deps.observed.countStoreRestarts({})
      this.#deps.log.warn('the metrics store has restarted: writing again what it may have lost')
    }
    for (const intake of this.#intakes) {
      if (hasRestarted) intake.rewrite()
      intake.acknowledge()
    }
  }

  async #write(lines: Uint8Array): Promise<void> {
    await this.#deps.victoria.write(lines)
    this.#bytesSinceFlush += lines.length
    // Without waiting for the loop; if it fails, the loop retries.
    this.#flush().catch(() => {})
  }

  /**
   * By itself the store makes samples readable once a second, and those of a new series seconds later. A flush does it
   * at once: used while new series may be in progress, and while there is so little data that it costs nothing.
   */
  async #flush(): Promise<void> {
    const now = performance.now()
    if (now < this.#flushedAt + minFlushIntervalMs) return
    const isWorthIt =
      now < this.#flushUntil || (this.#bytesSinceFlush > 0 && this.#bytesSinceFlush < cheapFlushBytes)
    this.#flushedAt = this.#bytesSinceFlush > 0 || isWorthIt ? now : this.#flushedAt
    this.#bytesSinceFlush = 0
    if (isWorthIt) await this.#deps.victoria.flush()
  }
}

/** Of one queue. */
const maxPendingBytesOf = ({ maxPendingBytes }: Deps): number => maxPendingBytes / telemetryQueues.length

/**
 * Each ingester has a random order of priorities, so that replicas share the queues without coordination. Any two
 * different orders give each replica at least one queue.
 */
function shuffled(numbers: Iterable<number>): number[] {
  const order = [...numbers].map((number) => ({ number, key: Math.random() }))
  return order.sort((a, b) => a.key - b.key).map(({ number }) => number)
}
