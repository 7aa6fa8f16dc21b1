import { agentRoutingKey, exchanges, parseAgentRoutingKey } from '@manc/contract'
import { type Caller, mayCall } from '../../access.ts'
import type { ExchangeTap, RabbitMq, TappedMessage } from '../../engines/rabbitmq/index.ts'
import {
  InvalidSample,
  parseDataMessage,
  readSample,
  type SampleLimits,
  type SentSample,
  samplesOf,
} from '../ingest/index.ts'
import { type JobService, jobTitles } from '../jobs/index.ts'
import type { LiveItem, LiveSource } from '../sockets/index.ts'
import type { ReadingsService } from './readings.service.ts'

type Watcher = (item: LiveItem) => void

/** Samples as they arrive, for open sockets. The broker copies only the data of agents that are watched at the time. */
export class LiveDataSource implements LiveSource {
  readonly kind = 'agent_live'
  readonly #jobs: JobService
  readonly #readings: ReadingsService
  readonly #limits: SampleLimits
  readonly #tap: ExchangeTap
  readonly #watchers = new Map<string, Set<Watcher>>()

  constructor(deps: {
    jobs: JobService
    readings: ReadingsService
    rabbitMq: RabbitMq
    limits: SampleLimits
  }) {
    this.#jobs = deps.jobs
    this.#readings = deps.readings
    this.#limits = deps.limits
    this.#tap = deps.rabbitMq.tap(exchanges.agents, (message) => this.#received(message))
  }

  async request({
    apIds,
    caller,
    key,
  }: {
    apIds: readonly string[]
    caller: Caller
    key: string | undefined
  }): Promise<string> {
    const agents = [...new Set(apIds)]
    await this.#readings.requireReadable(agents, caller)
    return this.#jobs.create({
      kind: this.kind,
      title: jobTitles.live(agents),
      request: { agents },
      caller,
      key,
    })
  }

  /** The caller's permissions may have changed since the request: they are checked again. Returns how to stop. */
  watch(request: Record<string, unknown>, caller: Caller, watcher: Watcher): () => void {
    const requested = request['agents'] as string[]
    const apIds = requested.filter((apId) => mayCall('subscribeAgentData', caller, { ap_id: apId }))
    for (const apId of apIds) this.#add(apId, watcher)
    return () => {
      for (const apId of apIds) this.#remove(apId, watcher)
    }
  }

  #add(apId: string, watcher: Watcher): void {
    const watchers = this.#watchers.get(apId)
    if (watchers) return void watchers.add(watcher)
    this.#watchers.set(apId, new Set([watcher]))
    this.#tap.bind(keyOf(apId))
  }

  #remove(apId: string, watcher: Watcher): void {
    const watchers = this.#watchers.get(apId)
    if (!watchers?.delete(watcher) || watchers.size > 0) return
    this.#watchers.delete(apId)
    this.#tap.unbind(keyOf(apId))
  }

  #received({ routingKey, content }: TappedMessage): void {
    const { apId } = parseAgentRoutingKey(routingKey)
    const watchers = this.#watchers.get(apId)
    if (!watchers) return
    for (const text of this.#textsOf(apId, content))
      for (const watcher of watchers) watcher({ key: apId, text })
  }

  /** As they are stored by the ingester; samples that it rejects are skipped. */
  #textsOf(apId: string, content: Buffer): string[] {
    const nowMs = Date.now()
    return samplesIn(content).flatMap(({ ts, payload }) => {
      try {
        const { tsMs, names, values, attributes } = readSample(payload, ts, nowMs, this.#limits)
        const time = new Date(tsMs).toISOString()
        const metrics = Object.fromEntries(names.map((name, n) => [name, values[n]]))
        return [JSON.stringify({ agent_id: apId, time, values: { ...metrics, ...attributes } })]
      } catch (error) {
        if (error instanceof InvalidSample) return []
        throw error
      }
    })
  }
}

const keyOf = (apId: string) => agentRoutingKey(apId, 'data')

function samplesIn(content: Buffer): SentSample[] {
  try {
    return samplesOf(parseDataMessage(content))
  } catch (error) {
    if (error instanceof InvalidSample) return []
    throw error
  }
}
