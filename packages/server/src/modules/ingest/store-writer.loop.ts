import type { Logger } from 'pino'
import { RefusedByStore } from '../../engines/victoria.http.ts'
import type { VictoriaStore } from '../../engines/victoria.store.ts'
import { Loop } from '../../loop.ts'
import { StoreFlush } from './store-flush.loop.ts'
import { StoreUptime } from './store-uptime.service.ts'

const pollIntervalMs = 1000
/** A store that does not answer for this long no longer delays what other stores have. */
const outAfterMs = 10_000

interface Deps {
  store: VictoriaStore
  log: Logger
  afterPoll: (hasRestarted: boolean) => void
  /** Keeps a line that the store refuses. */
  refused: (line: Uint8Array, reason: string) => Promise<void>
}

/** One metrics store, as the ingester writes to it. Polls it, to know from when on a write is durable. */
export class StoreWriter {
  readonly name: string
  readonly #store: VictoriaStore
  readonly #uptime: StoreUptime
  readonly #flush: StoreFlush
  readonly #polling: Loop
  readonly #refused: Deps['refused']
  /** The start of the first write since one was successful. */
  #unansweredSince: number | undefined

  constructor({ store, log, afterPoll, refused }: Deps) {
    this.name = store.name
    this.#refused = refused
    this.#store = store
    this.#uptime = new StoreUptime(store)
    this.#flush = new StoreFlush({ store, log })
    this.#polling = new Loop({
      name: `polling the metrics store ${store.name} for restarts`,
      intervalMs: pollIntervalMs,
      log,
      run: async () => afterPoll(await this.#uptime.poll()),
    })
  }

  start(): void {
    this.#polling.start()
    this.#flush.start()
  }

  async stop(): Promise<void> {
    await this.#polling.stop()
    await this.#flush.stop()
  }

  async write(lines: Uint8Array): Promise<void> {
    this.#unansweredSince ??= performance.now()
    await this.#writeAccepted(lines)
    this.#unansweredSince = undefined
    this.#flush.wrote(lines.length)
  }

  /** A line that the store refuses must not block the others: it is searched by halves. */
  async #writeAccepted(lines: Uint8Array): Promise<void> {
    try {
      await this.#store.write(lines)
    } catch (error) {
      if (!(error instanceof RefusedByStore)) throw error
      const middle = middleOf(lines)
      if (middle === undefined) return this.#refused(lines, error.message)
      await this.#writeAccepted(lines.subarray(0, middle))
      await this.#writeAccepted(lines.subarray(middle))
    }
  }

  expectNewSeries(): void {
    this.#flush.expectNewSeries()
  }

  get writtenAt(): number {
    return this.#uptime.writtenAt
  }

  isDurable(writtenAt: number): boolean {
    return this.#uptime.isDurable(writtenAt)
  }

  /** Whether it has answered neither polls nor writes for too long. */
  get isOut(): boolean {
    const { silentMs } = this.#uptime
    const unansweredMs = performance.now() - (this.#unansweredSince ?? Number.POSITIVE_INFINITY)
    return Math.max(silentMs, unansweredMs) > outAfterMs
  }
}

const newline = 10

/** The start of a line near the middle; undefined for a single line. */
function middleOf(lines: Uint8Array): number | undefined {
  const half = Math.floor(lines.length / 2)
  const after = lines.indexOf(newline, half) + 1
  if (after > 0 && after < lines.length) return after
  return lines.subarray(0, half).lastIndexOf(newline) + 1 || undefined
}
