import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { VictoriaStore } from '../../engines/victoria.store.ts'
import { firstPieceMs, nextPiece, nextPieceMs, type Piece, spanOf } from './gap-pieces.rules.ts'
import type { MetricsGapsStore } from './metrics-gaps.store.ts'
import { StoreUptime } from './store-uptime.service.ts'

interface Deps {
  /** The one that is repaired. */
  store: VictoriaStore
  others: readonly VictoriaStore[]
  gaps: MetricsGapsStore
  log: Logger
}

const leaseMs = 60_000
const maxGaps = 5000
/** After that the store is polled again, so that what was copied is known to be durable. */
const copyForMs = 2000
const logIntervalMs = 60_000
/** The series of agents: other series in the stores are not ours. */
const allSeries = '{ap_id!=""}'

/**
 * Copies to one metrics store what it misses, from the stores that have it. A gap is closed when its samples are durable.
 * If this process ends before, another one copies them again: a sample that is copied twice is stored once.
 */
export class StoreRepair {
  readonly #deps: Deps
  readonly #id = randomUUID()
  readonly #uptime: StoreUptime
  /** Not known to be durable yet. */
  #copied: (Piece & { writtenAt: number })[] = []
  #pieceMs = firstPieceMs
  #isRepairing = false
  #loggedAt = Number.NEGATIVE_INFINITY
  #bytes = 0

  constructor(deps: Deps) {
    this.#deps = deps
    this.#uptime = new StoreUptime(deps.store)
  }

  /** To be called every second or two. */
  async run(signal: AbortSignal): Promise<void> {
    const { gaps, store, others } = this.#deps
    if ((await gaps.due(store.name, namesOf(others), 1)).length === 0) return this.#end()
    if (!(await gaps.lease(store.name, this.#id, leaseMs))) return
    if (await this.#uptime.poll()) this.#copied = []
    await this.#close()
    const endsAt = performance.now() + copyForMs
    const due = await gaps.due(store.name, namesOf(await answering(others)), maxGaps)
    while (!signal.aborted && performance.now() < endsAt) {
      const piece = nextPiece(due, this.#copied, this.#pieceMs, Date.now())
      if (!piece) return
      await this.#copy(piece, signal)
    }
  }

  async #copy(piece: Piece, signal: AbortSignal): Promise<void> {
    const { store, others, log } = this.#deps
    const source = others.find(({ name }) => name === piece.source)
    if (!source) throw new Error(`there is no metrics store ${piece.source}`)
    if (!this.#isRepairing)
      log.info({ store: store.name, source: source.name }, 'repairing what a metrics store has missed')
    this.#isRepairing = true
    const bytes = await store.copyFrom(source, allSeries, spanOf(piece, Date.now()), signal)
    this.#copied.push({ ...piece, writtenAt: this.#uptime.writtenAt })
    this.#pieceMs = nextPieceMs(this.#pieceMs, bytes)
    this.#bytes += bytes
    if (performance.now() < this.#loggedAt + logIntervalMs) return
    this.#loggedAt = performance.now()
    log.info(
      { store: store.name, copiedUpTo: new Date(spanOf(piece, Date.now()).toMs), bytes: this.#bytes },
      'a metrics store is being repaired',
    )
  }

  async #close(): Promise<void> {
    const durable = this.#copied.filter(({ writtenAt }) => this.#uptime.isDurable(writtenAt))
    for (const piece of durable) {
      await this.#deps.gaps.finish(piece.gaps, piece.toMs)
      this.#copied.splice(this.#copied.indexOf(piece), 1)
    }
  }

  #end(): void {
    if (this.#isRepairing)
      this.#deps.log.info({ store: this.#deps.store.name, bytes: this.#bytes }, 'a metrics store is repaired')
    this.#isRepairing = false
    this.#copied = []
    this.#pieceMs = firstPieceMs
    this.#bytes = 0
  }
}

const namesOf = (stores: readonly VictoriaStore[]): string[] => stores.map(({ name }) => name)

async function answering(stores: readonly VictoriaStore[]): Promise<VictoriaStore[]> {
  const pings = await Promise.allSettled(stores.map((store) => store.ping()))
  return stores.filter((_, n) => pings[n]?.status === 'fulfilled')
}
