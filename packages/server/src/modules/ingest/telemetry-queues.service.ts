import { setTimeout as sleep } from 'node:timers/promises'
import {
  exchanges,
  telemetryBindingKey,
  telemetryQueueArguments,
  telemetryQueueNames,
  telemetryQueues,
} from '@manc/contract'
import type { BoundQueue, RabbitMqManagement } from '../../engines/rabbitmq/index.ts'
import { Refused } from '../../errors.ts'
import type { IngesterStore } from './ingesters.store.ts'

interface Deps {
  store: IngesterStore
  management: RabbitMqManagement | undefined
  virtualHost: string
}

/** How far the ingesters are behind. */
interface QueueLag {
  queues: string[]
  /** Queues that no running ingester consumes. */
  withoutIngester: number
  /** Everything that was sent earlier than this was received, in the queues with an ingester. Null: not known. */
  ageS: number | null
}

/** Those of `definitions.json`: the broker binds them again when it loads the file. */
const minQueues = telemetryQueues.length
/** Each is a group of processes in the broker, with its own log. */
const maxQueues = 256
/**
 * The counts of the broker are some seconds old: a queue is empty when this many say so. Not in a row: a count may include
 * one of the probes that the ingesters send through it each second, but no more messages of agents.
 */
const emptyCounts = 4
const countIntervalMs = 5000

/** Changes the number of telemetry queues while agents send and ingesters run. Removed queues stay in the broker, empty. */
export class TelemetryQueueService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** One line per queue. */
  async status(): Promise<string> {
    const { queues } = await this.#deps.store.read()
    return queues.map(({ name, ingester }) => `${name}  ${ingester ?? 'no ingester'}`).join('\n')
  }

  async lag(): Promise<QueueLag> {
    const { queues, ingesters } = await this.#deps.store.read()
    const alive = new Map(ingesters.filter(({ isAlive }) => isAlive).map((each) => [each.id, each]))
    const lags = queues.map(({ ingester }) => alive.get(ingester ?? '')?.lagMs ?? undefined)
    const known = lags.filter((lag) => lag !== undefined)
    return {
      queues: queues.map(({ name }) => name),
      withoutIngester: queues.filter(({ ingester }) => !alive.has(ingester ?? '')).length,
      ageS: known.length > 0 ? Math.max(...known) / 1000 : null,
    }
  }

  /** Reports each step to `print`. A call that was interrupted can be repeated. */
  async setCount(count: number, print: (text: string) => void): Promise<void> {
    if (!Number.isInteger(count) || count < minQueues || count > maxQueues)
      throw new Refused('bad-request', `Give a number of queues from ${minQueues} to ${maxQueues}.`)
    const { queues } = await this.#deps.store.read()
    const names = telemetryQueueNames(count)
    const missing = names.filter((name) => !queues.some((queue) => queue.name === name))
    const surplus = queues.map(({ name }) => name).filter((name) => !names.includes(name))
    // All are bound, also those that an interrupted call has left unbound.
    for (const name of names) {
      const queue = this.#boundQueue(name)
      await this.#management.declareQueue(queue)
      await this.#management.bindQueue({ ...queue, exchange: exchanges.probes, key: name })
    }
    await this.#deps.store.addQueues(missing)
    for (const name of names) await this.#management.bindQueue(this.#boundQueue(name))
    print(`${count} queues are bound; ${missing.length} of them are new.`)
    for (const name of surplus) await this.#management.unbindQueue(this.#boundQueue(name))
    if (surplus.length > 0) await this.#waitUntilEmpty(surplus, print)
    await this.#deps.store.removeQueues(surplus)
  }

  /** The ingesters still consume these queues. Without a binding they get no more messages. */
  async #waitUntilEmpty(names: readonly string[], print: (text: string) => void): Promise<void> {
    const timesEmpty = new Map(names.map((name) => [name, 0]))
    const areEmpty = () => [...timesEmpty.values()].every((times) => times >= emptyCounts)
    for (; !areEmpty(); await sleep(countIntervalMs)) {
      const counts = await Promise.all(
        names.map(async (name) => {
          const count = await this.#management.messagesOf(this.#deps.virtualHost, name)
          if (count === 0) timesEmpty.set(name, (timesEmpty.get(name) ?? 0) + 1)
          return count ?? 0
        }),
      )
      const left = counts.reduce((sum, count) => sum + count, 0)
      print(`${names.length} queues are unbound; ${left} messages left in them.`)
    }
  }

  #boundQueue(name: string): BoundQueue {
    return {
      virtualHost: this.#deps.virtualHost,
      name,
      arguments: telemetryQueueArguments,
      exchange: exchanges.telemetry,
      key: telemetryBindingKey,
    }
  }

  get #management(): RabbitMqManagement {
    if (this.#deps.management) return this.#deps.management
    throw new Refused(
      'bad-request',
      'Set MANC_RABBITMQ_MANAGEMENT_URL: the queues are changed through the management API of RabbitMQ.',
    )
  }
}
