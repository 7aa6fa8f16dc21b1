import { agentRoutingKey, exchanges, parseAgentRoutingKey } from '@manc/contract'
import { type Caller, idOf, mayCall } from '../../access.ts'
import type { ExchangeTap, RabbitMq, TappedMessage } from '../../engines/rabbitmq/index.ts'
import {
  parsedMessage,
  readSample,
  type SampleLimits,
  type SentSample,
  samplesOf,
  UnfitSample,
} from '../ingest/index.ts'
import type { JobService } from '../jobs/index.ts'
import type { LiveItem, LiveSource } from '../sockets/index.ts'
import type { ReadingsService } from './readings.service.ts'

type Watcher = (item: LiveItem) => void

/** Samples as they come, for those who watch: the broker copies what is watched at this moment, and nothing else. */
export class Live implements LiveSource {
  readonly kind = 'agent_live'
  readonly #jobs: JobService
  readonly #readings: ReadingsService
  readonly #limits: SampleLimits
  readonly #tap: ExchangeTap
  readonly #watchers = new Map<string, Set<Watcher>>()

  constructor(parts: {
    jobs: JobService
    readings: ReadingsService
    rabbitMq: RabbitMq
    limits: SampleLimits
  }) {
    this.#jobs = parts.jobs
    this.#readings = parts.readings
    this.#limits = parts.limits
    this.#tap = parts.rabbitMq.tap(exchanges.agents, (message) => this.#received(message))
  }

  async request(wish: {
    apIds: readonly string[]
    caller: Caller
    key: string | undefined
  }): Promise<string> {
    const { caller, key } = wish
    const agents = [...new Set(wish.apIds)]
    for (const apId of agents) await this.#readings.mustBeReadable(apId, caller)
    return this.#jobs.create({ kind: this.kind, request: { agents }, owner: idOf(caller), key })
  }

  /** What the caller may see by now may be less than when it asked. */
  watch(request: Record<string, unknown>, caller: Caller, watcher: Watcher): () => void {
    const asked = request['agents'] as string[]
    const apIds = asked.filter((apId) => mayCall('subscribeAgentData', caller, { ap_id: apId }))
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

  /** As they will be stored; what will not be is left out here too. */
  #textsOf(apId: string, content: Buffer): string[] {
    const nowMs = Date.now()
    return samplesIn(content).flatMap(({ ts, payload }) => {
      try {
        const { tsMs, names, values, attributes } = readSample(payload, ts, nowMs, this.#limits)
        const time = new Date(tsMs).toISOString()
        const measured = Object.fromEntries(names.map((name, n) => [name, values[n]]))
        return [JSON.stringify({ agent_id: apId, time, values: { ...measured, ...attributes } })]
      } catch (error) {
        if (error instanceof UnfitSample) return []
        throw error
      }
    })
  }
}

const keyOf = (apId: string) => agentRoutingKey(apId, 'data')

function samplesIn(content: Buffer): SentSample[] {
  try {
    return samplesOf(parsedMessage(content))
  } catch (error) {
    if (error instanceof UnfitSample) return []
    throw error
  }
}
