import { randomUUID } from 'node:crypto'
import { exchanges } from '@manc/contract'
import type { Logger } from 'pino'
import { type Delivery, type RabbitMq, Unroutable } from '../../engines/rabbitmq/index.ts'

interface Probe {
  /** When the last probe that came back was sent. */
  receivedUpTo: number
  isBeingSent: boolean
}

/** Which process has sent the probe, and when, by its own clock. */
const senderHeader = 'manc_probe'
const sentAtHeader = 'manc_probe_sent_at'
/** A message without samples: also what an ingester without probes makes of it. */
const content = Buffer.from('[]')
/** In a queue that is not consumed they do not accumulate. */
const expiresMs = 60_000

/**
 * Proves up to when everything that the telemetry queues accepted was received here. A queue is first in, first out: when
 * a message that was sent to it at some time comes back, all earlier ones have arrived. While a broker does not accept
 * messages, a queue has no leader or a connection is half open, none comes back, and silence proves nothing.
 */
export class QueueProbes {
  readonly #rabbitMq: RabbitMq
  readonly #ownName: string
  readonly #sender = randomUUID()
  readonly #probes = new Map<string, Probe>()
  readonly #log: Logger
  #warned = false

  constructor(deps: { rabbitMq: RabbitMq; ownName: string; log: Logger }) {
    this.#rabbitMq = deps.rabbitMq
    this.#ownName = deps.ownName
    this.#log = deps.log
  }

  /** Of all queues. Infinity until a probe of each has come back. */
  get lagMs(): number {
    let receivedUpTo = performance.now()
    const now = receivedUpTo
    for (const probe of this.#probes.values()) receivedUpTo = Math.min(receivedUpTo, probe.receivedUpTo)
    return now - receivedUpTo
  }

  add(queue: string): void {
    this.#probes.set(queue, { receivedUpTo: Number.NEGATIVE_INFINITY, isBeingSent: false })
  }

  remove(queue: string): void {
    this.#probes.delete(queue)
  }

  /** Sends one through each queue that has accepted the last one. */
  send(): void {
    for (const [queue, probe] of this.#probes) if (!probe.isBeingSent) void this.#send(queue, probe)
  }

  async #send(queue: string, probe: Probe): Promise<void> {
    probe.isBeingSent = true
    try {
      await this.#rabbitMq.publish({
        exchange: exchanges.probes,
        routingKey: queue,
        content,
        headers: { [senderHeader]: this.#sender, [sentAtHeader]: String(performance.now()) },
        userId: this.#ownName,
        expiresInMs: expiresMs,
      })
    } catch (error) {
      // The lag shows it. A missing binding does not pass by itself.
      if (error instanceof Unroutable) this.#warnOnce(queue)
    } finally {
      probe.isBeingSent = false
    }
  }

  #warnOnce(queue: string): void {
    if (!this.#warned)
      this.#log.warn(
        { queue },
        'no access point is reported as silent: the broker does not pass on probes of this queue. Run: manc-server telemetry-queues COUNT, with the present number of queues.',
      )
    this.#warned = true
  }

  /** True if the delivery is a probe, of this process or of another one. */
  receive(queue: string, { headers, userId }: Delivery): boolean {
    const sender = headers?.[senderHeader]
    // A publisher can set any header; the broker verifies the user.
    if (sender === undefined || userId !== this.#ownName) return false
    const probe = this.#probes.get(queue)
    if (probe && sender === this.#sender)
      probe.receivedUpTo = Math.max(probe.receivedUpTo, Number(headers?.[sentAtHeader]))
    return true
  }
}
