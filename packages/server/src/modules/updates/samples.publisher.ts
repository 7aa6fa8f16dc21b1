import { agentRoutingKey, exchanges, maxMessageBytes, sentByHeader } from '@manc/contract'
import type { Caller } from '../../access.ts'
import type { RabbitMq } from '../../engines/rabbitmq/index.ts'
import { invalid } from '../../errors.ts'
import { InvalidSample, readSample, type SampleLimits, type SentSample } from '../ingest/index.ts'

/** Publishes samples that arrive over HTTP for the ingester, as if the agent had sent them over MQTT. */
export class SamplesPublisher {
  readonly #rabbitMq: RabbitMq
  readonly #limits: SampleLimits
  readonly #ownName: string

  constructor(deps: { rabbitMq: RabbitMq; limits: SampleLimits; ownName: string }) {
    this.#rabbitMq = deps.rabbitMq
    this.#limits = deps.limits
    this.#ownName = deps.ownName
  }

  /**
   * Validates all samples and returns the messages to publish. Samples without a time get the current one, so that
   * a redelivered message is stored once.
   */
  messagesOf(samples: readonly SentSample[]): Buffer[] {
    if (samples.length === 0) return []
    if (samples.length > this.#limits.maxSamples)
      throw invalid([
        {
          loc: ['body', 'samples'],
          msg: `List should have at most ${this.#limits.maxSamples} items. Send the others in another request.`,
          type: 'too_long',
        },
      ])
    const nowMs = Date.now()
    const errors: { loc: (string | number)[]; msg: string; type: string }[] = []
    const timed = samples.map(({ ts, payload }, index) => {
      try {
        return { ts: readSample(payload, ts, nowMs, this.#limits).tsMs, payload }
      } catch (error) {
        if (!(error instanceof InvalidSample)) throw error
        const loc = samples.length === 1 ? ['body'] : ['body', 'samples', index]
        errors.push({ loc, msg: `Value error, ${error.message}`, type: 'value_error' })
        return undefined
      }
    })
    if (errors.length > 0) throw invalid(errors)
    return serialize(timed)
  }

  /** Resolves when the broker has confirmed all of them. */
  async publish(apId: string, messages: readonly Buffer[], sender: Caller['kind']): Promise<void> {
    await Promise.all(
      messages.map((content) =>
        this.#rabbitMq.publish({
          exchange: exchanges.agents,
          routingKey: agentRoutingKey(apId, 'data'),
          content,
          userId: this.#ownName,
          // Samples that another caller sends do not prove that the agent is online.
          ...(sender !== 'agent' && { headers: { [sentByHeader]: sender } }),
        }),
      ),
    )
  }
}

/** As one message if it is not too long, otherwise split. */
function serialize(samples: readonly unknown[]): Buffer[] {
  const content = Buffer.from(JSON.stringify({ samples }))
  if (content.length <= maxMessageBytes) return [content]
  if (samples.length === 1)
    throw invalid([{ loc: ['body'], msg: 'Value error, a sample has at most 1 MiB', type: 'value_error' }])
  const half = Math.ceil(samples.length / 2)
  return [...serialize(samples.slice(0, half)), ...serialize(samples.slice(half))]
}
