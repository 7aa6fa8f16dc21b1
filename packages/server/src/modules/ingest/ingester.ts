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
import type { PresenceService } from '../fleet/index.ts'
import type { AgentAttributesService } from './agent-attributes.service.ts'
import { Intake } from './intake.ts'
import { lineOf } from './lines.ts'
import { parsedMessage, samplesOf } from './messages.ts'
import { MetricNames } from './metric-names.ts'
import type { RejectedSamplesService } from './rejected-samples.service.ts'
import { readSample, type SampleLimits, UnfitSample } from './samples.ts'
import { StoreWatch } from './store-watch.ts'

interface Parts {
  rabbitMq: RabbitMq
  victoria: Victoria
  attributes: AgentAttributesService
  rejected: RejectedSamplesService
  presence: Pick<PresenceService, 'recordSample'>
  limits: SampleLimits
  mostHeldBytes: number
  log: Logger
}

/**
 * All that the 16 bits of an AMQP prefetch allow. Acknowledgements are held for 15 to 18 s: this carries 3,600 messages
 * a second and queue, also where agents are few and their queues unevenly used.
 */
const prefetch = 65_535
/** Of a copy of what could not be stored, where the whole is more than a message holds. */
const mostSetAside = 256 * 1024
/** Unfit samples of one message that are set aside one by one. */
const mostUnfitApart = 100
const flushForMs = 3000
/** With the batch before it and an answer that readers share for a second after it: less than 2 s in all. */
const flushEveryMs = 650
const fewBytes = 256 * 1024

/** Takes telemetry off the broker and into the metrics store, and acknowledges what no crash can take away again. */
export class Ingester {
  readonly #parts: Parts
  readonly #names = new MetricNames()
  readonly #watch: StoreWatch
  readonly #intakes: Intake[]
  readonly #loops: Loop[]
  #flushUntil = Number.NEGATIVE_INFINITY
  #flushedAt = Number.NEGATIVE_INFINITY
  /** Bytes that were written since. */
  #unread = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.#intakes = telemetryQueues.map(
      (queue) =>
        new Intake({
          queue,
          prefetch,
          mostHeldBytes: parts.mostHeldBytes / telemetryQueues.length,
          digest: (delivery) => this.#digest(delivery),
          write: (lines) => this.#write(lines),
          writtenNow: () => this.#watch.writtenNow(),
          isSafe: (writtenAt) => this.#watch.isSafe(writtenAt),
          log: parts.log,
        }),
    )
    this.#watch = new StoreWatch({
      victoria: parts.victoria,
      log: parts.log,
      afterLook: (restarted) => this.#afterLook(restarted),
    })
    this.#loops = [
      new Loop({
        name: 'storing attributes and counts of rejected samples',
        everyMs: 1000,
        log: parts.log,
        round: () => this.#flushCounts(),
      }),
      new Loop({
        name: 'making samples readable',
        everyMs: 100,
        log: parts.log,
        round: () => this.#flush(),
      }),
    ]
  }

  start(): void {
    for (const intake of this.#intakes) this.#parts.rabbitMq.subscribe(intake)
    this.#watch.start()
    for (const loop of this.#loops) loop.start()
  }

  /** What is not yet safe stays with the broker and comes again. */
  async stop(): Promise<void> {
    await this.#watch.stop()
    await Promise.all(this.#loops.map((loop) => loop.stop()))
    await this.#flushCounts().catch(() => {})
  }

  /** Whether every sample that the broker has taken has come this far. */
  get isCurrent(): boolean {
    return this.#intakes.every((intake) => intake.isCurrent)
  }

  async #flushCounts(): Promise<void> {
    await this.#parts.attributes.flush()
    await this.#parts.rejected.flush()
  }

  #afterLook(restarted: boolean): void {
    if (restarted)
      this.#parts.log.warn('the metrics store has restarted: writing again what it may have lost')
    for (const intake of this.#intakes) {
      if (restarted) intake.rewrite()
      intake.release()
    }
  }

  async #write(lines: Uint8Array): Promise<void> {
    await this.#parts.victoria.write(lines)
    this.#unread += lines.length
    // At once for the first of them; where that fails, the next round does it.
    this.#flush().catch(() => {})
  }

  /**
   * The store makes samples readable once a second, and those of a new series seconds later. We ask it to be quicker:
   * while there are new series, which may still be on their way, and while there is so little to do that it costs nothing.
   */
  async #flush(): Promise<void> {
    const now = performance.now()
    if (now < this.#flushedAt + flushEveryMs) return
    const isWorthIt = now < this.#flushUntil || (this.#unread > 0 && this.#unread < fewBytes)
    this.#flushedAt = this.#unread > 0 || isWorthIt ? now : this.#flushedAt
    this.#unread = 0
    if (isWorthIt) await this.#parts.victoria.flush()
  }

  #digest({ routingKey, content, headers }: Delivery) {
    const { apId } = parseAgentRoutingKey(routingKey)
    const isItself = headers?.[sentByHeader] === undefined
    const setAside: (() => Promise<void>)[] = []
    let unfit = 0
    let lines = ''
    try {
      for (const sent of samplesOf(parsedMessage(content)))
        try {
          lines += this.#store(apId, sent.payload, sent.ts)
          if (isItself) this.#parts.presence.recordSample(apId)
        } catch (error) {
          unfit += 1
          this.#parts.rejected.record(apId, reasonOf(error))
          if (unfit <= mostUnfitApart)
            setAside.push(this.#putAside(apId, Buffer.from(JSON.stringify(sent)), error))
          // A megabyte of them would be half a million messages: the one that they came in tells as much.
          else if (unfit === mostUnfitApart + 1)
            setAside.splice(0, Infinity, this.#putAside(apId, content, error))
        }
    } catch (error) {
      this.#parts.rejected.record(apId, reasonOf(error))
      setAside.push(this.#putAside(apId, content, error))
    }
    return { lines, setAside }
  }

  #store(apId: string, payload: unknown, ts: unknown): string {
    const { attributes, limits } = this.#parts
    const sample = readSample(payload, ts, Date.now(), limits)
    if (sample.attributes) attributes.record(apId, sample.attributes, sample.tsMs)
    if (sample.names.length === 0) return ''
    const { fields } = this.#names.known(apId, sample.names) ?? this.#learn(apId, sample.names)
    return lineOf(apId, fields, sample.values, sample.tsMs)
  }

  /** Where a name is new, the store has to make a series. */
  #learn(apId: string, names: readonly string[]) {
    const learnt = this.#names.learn(apId, names)
    if (!learnt) throw new UnfitSample('too many metric names of this agent')
    if (learnt.hasNew) this.#flushUntil = performance.now() + flushForMs
    return learnt.shape
  }

  /** Judged by its content and set aside by itself: what came with it is stored. */
  #putAside(apId: string, content: Buffer, error: unknown): () => Promise<void> {
    return () =>
      this.#parts.rabbitMq.publish({
        exchange: exchanges.deadLetters,
        routingKey: deadLetterKeys.telemetry,
        content: content.length > maxMessageBytes ? content.subarray(0, mostSetAside) : content,
        headers: { ap_id: apId, reason: reasonOf(error) },
      })
  }
}

const reasonOf = (error: unknown): string => (error instanceof UnfitSample ? error.message : 'unreadable')
