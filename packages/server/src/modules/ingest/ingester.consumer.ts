import {
  deadLetterKeys,
  exchanges,
  maxMessageBytes,
  parseAgentRoutingKey,
  sentByHeader,
  telemetryQueues,
} from '@manc/contract'
import type { Logger } from 'pino'
import type { Delivery, RabbitMq } from '../../engines/rabbitmq/index.ts'
import type { Victoria } from '../../engines/victoria.ts'
import { Loop } from '../../loop.ts'
import type { Metrics } from '../../metrics.ts'
import type { PresenceService } from '../fleet/index.ts'
import type { AgentAttributesService } from './agent-attributes.service.ts'
import { parseDataMessage, samplesOf } from './data-message.format.ts'
import { lineOf } from './influx-line.format.ts'
import { defineHeldMetrics, type IngestMetrics } from './ingest.metrics.ts'
import { MetricNames } from './metric-names.cache.ts'
import { type DeadLetter, QueueIntake } from './queue-intake.consumer.ts'
import type { RejectedSamplesService } from './rejected-samples.service.ts'
import { InvalidSample, readSample, type SampleLimits } from './sample.format.ts'
import { StoreDurability } from './store-durability.loop.ts'

interface Deps {
  rabbitMq: RabbitMq
  victoria: Victoria
  attributes: AgentAttributesService
  rejected: RejectedSamplesService
  presence: Pick<PresenceService, 'recordSample'>
  limits: SampleLimits
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
/** Length of the copy in a dead letter if the message is too long for one. */
const maxTruncatedBytes = 256 * 1024
/** Invalid samples of one message that are dead-lettered one by one. */
const maxDeadLettersPerMessage = 100
const recordsFlushIntervalMs = 1000
/** After a new series, how long samples are made readable at once. */
const newSeriesFlushMs = 3000
/** With the batch delay before and the cached reads after it, a sample is readable in less than 2 s. */
const minFlushIntervalMs = 650
/** Up to this much written data a flush costs the metrics store little. */
const cheapFlushBytes = 256 * 1024

/** Consumes telemetry from the broker, writes it to the metrics store, and acknowledges it once it is durable. */
export class Ingester {
  readonly #deps: Deps
  readonly #names = new MetricNames()
  readonly #durability: StoreDurability
  readonly #intakes: QueueIntake[]
  readonly #loops: Loop[]
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
    this.#loops = [
      new Loop({
        name: 'storing attributes and counts of rejected samples',
        intervalMs: recordsFlushIntervalMs,
        log: deps.log,
        run: () => this.#flushRecords(),
      }),
      new Loop({
        name: 'making samples readable',
        intervalMs: 100,
        log: deps.log,
        run: () => this.#flush(),
      }),
    ]
  }

  start(): void {
    defineHeldMetrics(this.#deps.metrics, this.#intakes, maxPendingBytesOf(this.#deps))
    for (const intake of this.#intakes) this.#deps.rabbitMq.subscribe(intake)
    this.#durability.start()
    for (const loop of this.#loops) loop.start()
  }

  /** What is not durable yet stays unacknowledged, and the broker redelivers it. */
  async stop(): Promise<void> {
    await this.#durability.stop()
    await Promise.all(this.#loops.map((loop) => loop.stop()))
    await this.#flushRecords().catch(() => {})
  }

  /** Whether every sample that the broker has accepted has been received here. */
  get isCurrent(): boolean {
    return this.#intakes.every((intake) => intake.isCurrent)
  }

  async #flushRecords(): Promise<void> {
    await this.#deps.attributes.flush()
    await this.#deps.rejected.flush()
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

  #parse({ routingKey, content, headers }: Delivery) {
    const { apId } = parseAgentRoutingKey(routingKey)
    const isFromAgent = headers?.[sentByHeader] === undefined
    const deadLetters: DeadLetter[] = []
    /** Invalid samples by reason: counted once per message, which may have half a million of them. */
    const rejected = new Map<string, number>()
    let invalid = 0
    let valid = 0
    let lines = ''
    try {
      for (const sent of samplesOf(parseDataMessage(content)))
        try {
          lines += this.#lineOf(apId, sent.payload, sent.ts)
          valid += 1
          if (isFromAgent) this.#deps.presence.recordSample(apId)
        } catch (error) {
          invalid += 1
          addOne(rejected, reasonOf(error))
          if (invalid <= maxDeadLettersPerMessage)
            deadLetters.push(this.#deadLetter(apId, Buffer.from(JSON.stringify(sent)), error))
          // A message of 1 MiB can have half a million invalid samples: it is dead-lettered as a whole instead.
          else if (invalid === maxDeadLettersPerMessage + 1)
            deadLetters.splice(0, Infinity, this.#deadLetter(apId, content, error))
        }
    } catch (error) {
      addOne(rejected, reasonOf(error))
      deadLetters.push(this.#deadLetter(apId, content, error))
    }
    this.#deps.observed.countSamples({}, valid)
    for (const [reason, samples] of rejected) {
      this.#deps.rejected.record(apId, reason, samples)
      this.#deps.observed.countRejected({ reason }, samples)
    }
    return { lines, deadLetters }
  }

  /** Empty for a sample that has no metrics. */
  #lineOf(apId: string, payload: unknown, ts: unknown): string {
    const { attributes, limits } = this.#deps
    const sample = readSample(payload, ts, Date.now(), limits)
    if (sample.attributes) attributes.record(apId, sample.attributes, sample.tsMs)
    if (sample.names.length === 0) return ''
    const { fields } = this.#names.find(apId, sample.names) ?? this.#addShape(apId, sample.names)
    return lineOf(apId, fields, sample.values, sample.tsMs)
  }

  #addShape(apId: string, names: readonly string[]) {
    const added = this.#names.add(apId, names)
    if (!added) throw new InvalidSample('too many metric names of this agent')
    if (added.hasNewNames) this.#flushUntil = performance.now() + newSeriesFlushMs
    return added.shape
  }

  /** For one sample: the valid samples of its message are stored. */
  #deadLetter(apId: string, content: Buffer, error: unknown): DeadLetter {
    return () =>
      this.#deps.rabbitMq.publish({
        exchange: exchanges.deadLetters,
        routingKey: deadLetterKeys.telemetry,
        content: content.length > maxMessageBytes ? content.subarray(0, maxTruncatedBytes) : content,
        headers: { ap_id: apId, reason: reasonOf(error) },
      })
  }
}

/** Of one queue. */
const maxPendingBytesOf = ({ maxPendingBytes }: Deps): number => maxPendingBytes / telemetryQueues.length

const addOne = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

const reasonOf = (error: unknown): string => (error instanceof InvalidSample ? error.message : 'unreadable')

/**
 * Each ingester has a random order of priorities, so that replicas share the queues without coordination. Any two
 * different orders give each replica at least one queue.
 */
function shuffled(numbers: Iterable<number>): number[] {
  const order = [...numbers].map((number) => ({ number, key: Math.random() }))
  return order.sort((a, b) => a.key - b.key).map(({ number }) => number)
}
