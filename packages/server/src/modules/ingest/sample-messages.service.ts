import {
  deadLetterKeys,
  exchanges,
  maxMessageBytes,
  parseAgentRoutingKey,
  receivedAtHeader,
  sentByHeader,
} from '@manc/contract'
import type { Delivery, RabbitMq } from '../../engines/rabbitmq/index.ts'
import type { Limits } from '../../limits.ts'
import type { AgentRates, RateKind } from '../agent-limits/index.ts'
import type { PresenceService } from '../fleet/index.ts'
import type { AgentAttributesService } from './agent-attributes.service.ts'
import { parseDataMessage, type SentSample, sampleCountOf, samplesOf } from './data-message.format.ts'
import { lineOf } from './influx-line.format.ts'
import type { IngestMetrics } from './ingest.metrics.ts'
import { MetricNames } from './metric-names.cache.ts'
import type { RejectedSamplesService } from './rejected-samples.service.ts'
import { InvalidSample, readSample, type SampleLimits } from './sample.format.ts'

/** Publishes a copy of what could not be stored. */
export type DeadLetter = () => Promise<void>

export interface ParsedMessage {
  /** For the metrics store. */
  lines: string
  deadLetters: DeadLetter[]
  /** Whether the agent has sent these metric names for the first time. */
  hasNewSeries: boolean
}

interface Deps {
  rabbitMq: RabbitMq
  attributes: AgentAttributesService
  rejected: RejectedSamplesService
  presence: Pick<PresenceService, 'recordSample'>
  rates: AgentRates
  /** The controller's user name at the broker. Its messages come from the api role, which applies the limits itself. */
  ownName: string
  sampleLimits: SampleLimits
  maxMetricNames: number
  limits: Limits
  observed: IngestMetrics
}

/** Bytes of a message that are dead-lettered if it is longer than the broker accepts. */
const maxTruncatedBytes = 256 * 1024
/** Invalid samples of one message that are dead-lettered one by one. */
const maxDeadLettersPerMessage = 100
const tooManyNames = 'too many metric names of this agent'

/** Messages with samples: validates them and converts them to lines, within the limits of their agent. */
export class SampleMessageService {
  readonly #deps: Deps
  readonly #names: MetricNames

  constructor(deps: Deps) {
    this.#deps = deps
    this.#names = new MetricNames(deps.maxMetricNames)
  }

  parse(delivery: Delivery): ParsedMessage {
    const { apId } = parseAgentRoutingKey(delivery.routingKey)
    const message = new Message(apId, delivery, delivery.userId === this.#deps.ownName)
    if (this.#accept(message, 'messages', 1) && this.#accept(message, 'bytes', delivery.content.length))
      this.#read(message)
    this.#count(message)
    return message
  }

  /** Keeps a line that the metrics store refuses. */
  async keepRefused(line: Uint8Array, reason: string): Promise<void> {
    this.#deps.observed.countRejected({ reason: 'refused by the metrics store' }, 1)
    await this.#publishDeadLetter(Buffer.from(line), { reason })
  }

  #read(message: Message): void {
    try {
      const parsed = parseDataMessage(message.delivery.content)
      const count = sampleCountOf(parsed)
      if (count > this.#deps.sampleLimits.maxSamples) this.#rejectAll(message, count)
      else if (this.#accept(message, 'samples', count, count)) this.#convert(message, samplesOf(parsed))
    } catch (error) {
      message.reject(reasonOf(error), 1)
      message.deadLetters.push(this.#deadLetter(message, message.delivery.content, error))
    }
  }

  #convert(message: Message, samples: readonly SentSample[]): void {
    for (const sent of samples)
      try {
        this.#addSample(message, sent)
        message.valid += 1
      } catch (error) {
        this.#rejectOne(message, sent, error)
      }
    // Short samples become much longer lines.
    const more = message.lines.length - message.delivery.content.length
    if (more <= 0 || this.#accept(message, 'bytes', more, message.valid)) return
    message.lines = ''
    message.valid = 0
  }

  /** False, and counted as rejected, if the agent has sent far more than it may. Without a copy: there may be many. */
  #accept(message: Message, kind: RateKind, amount: number, samples = 1): boolean {
    if (!message.isLimited || this.#deps.rates.accept(message.apId, kind, amount)) return true
    message.reject(`${kind} beyond the limit`, samples)
    return false
  }

  #rejectAll(message: Message, samples: number): void {
    this.#deps.limits.count('MANC_AGENT_SAMPLES_PER_MESSAGE')
    const error = new InvalidSample(`more than ${this.#deps.sampleLimits.maxSamples} samples in a message`)
    message.reject(error.message, samples)
    message.deadLetters.push(this.#deadLetter(message, message.delivery.content, error))
  }

  #rejectOne(message: Message, sent: SentSample, error: unknown): void {
    const reason = reasonOf(error)
    if (reason === tooManyNames) this.#deps.limits.count('MANC_AGENT_METRIC_NAMES')
    const invalid = message.reject(reason, 1)
    if (invalid <= maxDeadLettersPerMessage)
      message.deadLetters.push(this.#deadLetter(message, Buffer.from(JSON.stringify(sent)), error))
    // A message can have thousands of invalid samples: it is dead-lettered as a whole instead.
    else if (invalid === maxDeadLettersPerMessage + 1)
      message.deadLetters.splice(0, Infinity, this.#deadLetter(message, message.delivery.content, error))
  }

  #addSample(message: Message, { payload, ts }: SentSample): void {
    const { apId, receivedAtMs, isFromAgent } = message
    const { presence, attributes, sampleLimits } = this.#deps
    const sample = readSample(payload, ts, receivedAtMs, sampleLimits)
    if (sample.attributes) attributes.record(apId, sample.attributes, sample.tsMs)
    if (sample.names.length === 0) {
      if (isFromAgent) presence.recordSample(apId)
      return
    }
    const { fields, plan } = this.#names.find(apId, sample.names) ?? this.#addShape(message, sample.names)
    message.lines += lineOf(apId, fields, sample.values, sample.tsMs)
    // A sample of the future would make all others late until then.
    if (isFromAgent) presence.recordSample(apId, plan, sample.values, Math.min(sample.tsMs, receivedAtMs))
  }

  #addShape(message: Message, names: readonly string[]) {
    const added = this.#names.add(message.apId, names)
    if (!added) throw new InvalidSample(tooManyNames)
    message.hasNewSeries ||= added.hasNewNames
    return added.shape
  }

  #count({ apId, valid, rejected }: Message): void {
    this.#deps.observed.countSamples({}, valid)
    for (const [reason, samples] of rejected) {
      this.#deps.rejected.record(apId, reason, samples)
      this.#deps.observed.countRejected({ reason }, samples)
    }
  }

  /** For one sample: the valid samples of its message are stored. */
  #deadLetter({ apId }: Message, content: Buffer, error: unknown): DeadLetter {
    const copy = content.length > maxMessageBytes ? content.subarray(0, maxTruncatedBytes) : content
    return () => this.#publishDeadLetter(copy, { ap_id: apId, reason: reasonOf(error) })
  }

  #publishDeadLetter(content: Buffer, headers: Record<string, string>): Promise<void> {
    return this.#deps.rabbitMq.publish({
      exchange: exchanges.deadLetters,
      routingKey: deadLetterKeys.telemetry,
      content,
      headers,
    })
  }
}

/** One message while it is parsed. */
class Message implements ParsedMessage {
  readonly apId: string
  readonly delivery: Delivery
  /** Whether the limits of the agent are not applied yet. */
  readonly isLimited: boolean
  readonly isFromAgent: boolean
  /** By the clock of the broker: the same when the message is delivered again. */
  readonly receivedAtMs: number
  lines = ''
  valid = 0
  hasNewSeries = false
  readonly deadLetters: DeadLetter[] = []
  /** Samples that are not stored, by reason: counted once per message, which may have thousands of them. */
  readonly rejected = new Map<string, number>()
  #rejectedSamples = 0

  constructor(apId: string, delivery: Delivery, isOwn: boolean) {
    this.apId = apId
    this.delivery = delivery
    this.isLimited = !isOwn
    const receivedAt = delivery.headers?.[receivedAtHeader]
    this.receivedAtMs = typeof receivedAt === 'number' ? receivedAt : Date.now()
    // A publisher can set any header: user properties of MQTT 5 become headers.
    this.isFromAgent = !isOwn || delivery.headers?.[sentByHeader] === undefined
  }

  /** Returns how many samples of the message are rejected by now. */
  reject(reason: string, samples: number): number {
    this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + samples)
    this.#rejectedSamples += samples
    return this.#rejectedSamples
  }
}

const reasonOf = (error: unknown): string => (error instanceof InvalidSample ? error.message : 'unreadable')
