import type { Logger } from 'pino'
import type { Delivery, RabbitMq } from '../../engines/rabbitmq/index.ts'
import type { Victoria } from '../../engines/victoria.ts'
import { Loop } from '../../loop.ts'
import type { Metrics } from '../../metrics.ts'
import { GapRecorder } from './gap-recorder.loop.ts'
import { defineHeldMetrics, type IngestMetrics } from './ingest.metrics.ts'
import type { MetricsGapsStore } from './metrics-gaps.store.ts'
import { QueueIntake } from './queue-intake.consumer.ts'
import type { QueueProbes } from './queue-probes.service.ts'
import type { ParsedMessage, SampleMessageService } from './sample-messages.service.ts'
import { StoreWriter } from './store-writer.loop.ts'

interface Deps {
  rabbitMq: RabbitMq
  victoria: Victoria
  gaps: MetricsGapsStore
  messages: SampleMessageService
  probes: QueueProbes
  /** Of all queues. */
  maxPendingBytes: number
  metrics: Metrics
  observed: IngestMetrics
  log: Logger
}

interface ConsumedQueue {
  intake: QueueIntake
  /** False: it is assigned to another ingester by now, and only acknowledged here. */
  isAssigned: boolean
  unsubscribe: () => void
}

const probeIntervalMs = 1000

/** Consumes telemetry from the broker, writes it to the metrics stores, and acknowledges it once it is durable. */
export class Ingester {
  readonly #deps: Deps
  readonly #stores: readonly StoreWriter[]
  readonly #recorder: GapRecorder
  readonly #probing: Loop
  readonly #queues = new Map<string, ConsumedQueue>()

  constructor(deps: Deps) {
    this.#deps = deps
    const { victoria, gaps, log } = deps
    this.#stores = victoria.stores.map(
      (store, n) =>
        new StoreWriter({
          store,
          log,
          afterPoll: (hasRestarted) => this.#afterPoll(n, hasRestarted),
          refused: (line, reason) => deps.messages.keepRefused(line, reason),
        }),
    )
    this.#recorder = new GapRecorder({ intakes: () => this.#intakes(), gaps, log })
    this.#probing = new Loop({
      name: 'sending probes through the telemetry queues',
      intervalMs: probeIntervalMs,
      log,
      run: async () => deps.probes.send(),
    })
  }

  start(): void {
    defineHeldMetrics(this.#deps.metrics, {
      intakes: () => this.#intakes(),
      assigned: () => this.#assignedCount(),
      maxPendingBytes: () => this.#maxPendingBytes(),
    })
    for (const store of this.#stores) store.start()
    if (this.#stores.length > 1) this.#recorder.start()
    this.#probing.start()
  }

  /** What is not durable yet stays unacknowledged, and the broker redelivers it. */
  async stop(): Promise<void> {
    await this.#probing.stop()
    await Promise.all(this.#stores.map((store) => store.stop()))
    await this.#recorder.stop()
  }

  /** Consumes these queues and no others. */
  setQueues(names: readonly string[]): void {
    const assigned = new Set(names)
    for (const [name, queue] of this.#queues)
      if (queue.isAssigned && !assigned.has(name)) this.#release(name, queue)
    for (const name of names) if (!this.#queues.get(name)?.isAssigned) this.#consume(name)
  }

  #consume(name: string): void {
    // Assigned again while it is drained: what is not acknowledged comes again on the new channel.
    this.#queues.get(name)?.unsubscribe()
    const intake = this.#newIntake(name)
    this.#deps.probes.add(name)
    this.#queues.set(name, {
      intake,
      isAssigned: true,
      unsubscribe: this.#deps.rabbitMq.subscribe(intake),
    })
  }

  #release(name: string, queue: ConsumedQueue): void {
    queue.isAssigned = false
    this.#deps.probes.remove(name)
    queue.intake.drain(() => {
      if (this.#queues.get(name) === queue) this.#queues.delete(name)
      queue.unsubscribe()
    })
  }

  #newIntake(queue: string): QueueIntake {
    const { probes, observed, log } = this.#deps
    return new QueueIntake({
      queue,
      maxPendingBytes: () => this.#maxPendingBytes(),
      isProbe: (delivery) => probes.receive(queue, delivery),
      parse: (delivery) => this.#parse(delivery),
      stores: this.#stores,
      observed,
      log,
    })
  }

  /** Also those that are only acknowledged. */
  #intakes(): QueueIntake[] {
    return [...this.#queues.values()].map(({ intake }) => intake)
  }

  #assignedCount(): number {
    return [...this.#queues.values()].filter(({ isAssigned }) => isAssigned).length
  }

  /** Of one queue. */
  #maxPendingBytes(): number {
    return this.#deps.maxPendingBytes / Math.max(1, this.#queues.size)
  }

  #parse(delivery: Delivery): ParsedMessage {
    const parsed = this.#deps.messages.parse(delivery)
    if (parsed.hasNewSeries) for (const store of this.#stores) store.expectNewSeries()
    return parsed
  }

  #afterPoll(store: number, hasRestarted: boolean): void {
    if (hasRestarted) {
      this.#deps.observed.countStoreRestarts({})
      const { name } = this.#stores[store] ?? {}
      this.#deps.log.warn(
        { store: name },
        'the metrics store has restarted: writing again what it may have lost',
      )
    }
    for (const intake of this.#intakes()) {
      if (hasRestarted) intake.rewrite(store)
      intake.acknowledge()
    }
  }
}
