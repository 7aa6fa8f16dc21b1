import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { IngesterRow, IngesterStore } from './ingesters.store.ts'
import { type AssignedQueue, reassignments } from './queue-assignment.rules.ts'

interface Deps {
  store: IngesterStore
  /** Whether this process reaches the broker. */
  isConnected: () => boolean
  /** Of the queues of this process. Infinity: not known. */
  ownLagMs: () => number
  /** Called with the queues that this process has to consume. */
  assigned: (queues: string[]) => void
  log: Logger
}

const intervalMs = 1000
/** Successful runs in a row before another ingester's missing heartbeats are its own fault, and not a shared outage. */
const runsBeforeTakeover = 7

/**
 * Divides the telemetry queues among the ingesters. Each sends a heartbeat to the database once a second, and consumes the
 * queues that are assigned to it there. Any of them changes the assignment when ingesters have come or gone.
 *
 * While the database is down, nothing changes. A queue that two ingesters consume for a moment is safe: the broker
 * delivers to one of them at a time.
 */
export class QueueAssignment {
  readonly #deps: Deps
  readonly #id = randomUUID()
  readonly #loop: Loop
  #successfulRuns = 0
  #readAt = Number.NEGATIVE_INFINITY
  #othersLagMs = Number.POSITIVE_INFINITY

  constructor(deps: Deps) {
    this.#deps = deps
    this.#loop = new Loop({
      name: 'assigning telemetry queues',
      intervalMs,
      log: deps.log,
      run: () => this.run(),
    })
  }

  start(): void {
    this.#loop.start()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    // If this fails, the others notice the missing heartbeats.
    await this.#deps.store.remove([this.#id]).catch(() => {})
  }

  /** How far the ingesters together lag behind what agents have sent; Infinity while a queue is not consumed. */
  get lagMs(): number {
    const othersLagMs = this.#othersLagMs && this.#othersLagMs + performance.now() - this.#readAt
    return Math.max(this.#deps.ownLagMs(), othersLagMs)
  }

  async run(): Promise<void> {
    const { store, isConnected, ownLagMs } = this.#deps
    try {
      await store.heartbeat({ id: this.#id, isConnected: isConnected(), lagMs: ownLagMs() })
      await this.#update()
      this.#successfulRuns += 1
    } catch (error) {
      this.#successfulRuns = 0
      throw error
    }
  }

  async #update(): Promise<void> {
    const { store } = this.#deps
    let { queues, ingesters } = await store.read()
    const able = ableIn(ingesters, this.#successfulRuns >= runsBeforeTakeover)
    if (reassignments(queues, able).length > 0) {
      await store.assign(able)
      await this.#removeDead(ingesters)
      ;({ queues, ingesters } = await store.read())
    }
    this.#readAt = performance.now()
    this.#othersLagMs = lagOfOthers(queues, ingesters, this.#id)
    this.#deps.assigned(queues.filter(({ ingester }) => ingester === this.#id).map(({ name }) => name))
  }

  async #removeDead(ingesters: readonly IngesterRow[]): Promise<void> {
    if (this.#successfulRuns < runsBeforeTakeover) return
    await this.#deps.store.remove(ingesters.filter(({ isAlive }) => !isAlive).map(({ id }) => id))
  }
}

/** Ids of the ingesters that can consume. The dead are not among them, if they may be told from the living. */
function ableIn(ingesters: readonly IngesterRow[], canTellDead: boolean): string[] {
  const living = ingesters.filter(({ isAlive }) => isAlive || !canTellDead)
  const connected = living.filter(({ isConnected }) => isConnected)
  // When no ingester reaches the broker, it is not their fault.
  return (connected.length > 0 ? connected : living).map(({ id }) => id)
}

/** 0 without other ingesters. Infinity while a queue has no ingester. */
function lagOfOthers(
  queues: readonly AssignedQueue[],
  ingesters: readonly IngesterRow[],
  ownId: string,
): number {
  const lags = new Map(ingesters.map(({ id, lagMs }) => [id, lagMs ?? Number.POSITIVE_INFINITY]))
  lags.set(ownId, 0)
  return Math.max(0, ...queues.map(({ ingester }) => lags.get(ingester ?? '') ?? Number.POSITIVE_INFINITY))
}
