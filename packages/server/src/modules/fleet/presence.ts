import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { PresenceStore, Verdict } from './presence.store.ts'

interface Entry {
  /** When it was last heard of, on the clock of watched time. */
  seenAt: number
  /** What the database has of it; undefined while it does not know yet. */
  state: 'online' | 'stale' | undefined
  /** Of one that is stale: when it had last been heard of by then. */
  silentSince: number
  intervalMs: number
}

const everyMs = 1000
/** A round that comes later than this was held up, and with it what agents have sent. */
const mostWatchedMs = 2500
/** Rows a statement: a database that answers at all answers in time. */
const pieceSize = 5000
const staleAfter = 2
const offlineAfter = 3
/** One that was taken over while it was stale is given time for the sample that would show it there. */
const givenToStale = 1.5
/** Rounds in a row before another keeper's silence is its own fault, and not an outage that all had. */
const roundsBeforeTakingOver = 12

/**
 * Notices who has come and who has fallen silent, for the agents whose samples come through this process. A sample
 * costs a look-up in memory; once a second all changes of state are written together.
 * Every agent that is not offline has a keeper. Whoever hears of it claims it; a keeper that dies leaves its agents to
 * the others, and one that cannot keep up with the samples judges nobody.
 */
export class Presence {
  readonly #store: PresenceStore
  readonly #isCurrent: () => boolean
  readonly #loop: Loop
  readonly #keeper = randomUUID()
  readonly #entries = new Map<string, Entry>()
  /** Milliseconds in which a sample would have been heard. */
  #watchedMs = 0
  #lastRound = performance.now()
  #wasCurrent = false
  #horizon: string | undefined
  #rounds = 0

  /** `isCurrent` tells whether everything that was sent has been heard. */
  constructor(parts: { store: PresenceStore; isCurrent: () => boolean; log: Logger }) {
    this.#store = parts.store
    this.#isCurrent = parts.isCurrent
    this.#loop = new Loop({
      name: 'watching over agents',
      everyMs,
      log: parts.log,
      round: () => this.round(),
    })
  }

  start(): void {
    this.#loop.start()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    // Where this fails too, the others find out by its silence.
    await this.#store.retire(this.#keeper).catch(() => {})
  }

  heard(apId: string): void {
    // The clock moves once a round: as if it had come with the next, so that nobody is judged too early.
    const seenAt = this.#watchedMs + everyMs
    const entry = this.#entries.get(apId)
    if (entry) entry.seenAt = seenAt
    else this.#entries.set(apId, { seenAt, state: undefined, silentSince: 0, intervalMs: 0 })
  }

  async round(): Promise<void> {
    const isCurrent = this.#watch()
    try {
      await this.#takeAndGive()
      await this.#claim()
      if (isCurrent) await this.#judge()
      await this.#store.beat(this.#keeper, isCurrent)
      this.#rounds += 1
    } catch (error) {
      this.#rounds = 0
      throw error
    }
  }

  #watch(): boolean {
    const now = performance.now()
    const isCurrent = this.#isCurrent()
    if (isCurrent && this.#wasCurrent) this.#watchedMs += Math.min(now - this.#lastRound, mostWatchedMs)
    const wasCurrent = this.#wasCurrent
    this.#wasCurrent = isCurrent
    this.#lastRound = now
    return isCurrent && wasCurrent
  }

  async #takeAndGive(): Promise<void> {
    const { apIds, horizon } = await this.#store.lost(this.#keeper, this.#horizon)
    this.#horizon = horizon
    for (const apId of apIds) if (this.#entries.get(apId)?.state) this.#entries.delete(apId)
    for (;;) {
      const adopted = await this.#store.adopt(this.#keeper, pieceSize, this.#rounds >= roundsBeforeTakingOver)
      for (const { apId, state, intervalS } of adopted) {
        const intervalMs = intervalS * 1000
        const quietMs = state === 'stale' ? (offlineAfter - givenToStale) * intervalMs : 0
        const seenAt = this.#watchedMs - quietMs
        this.#entries.set(apId, { seenAt, state, silentSince: seenAt, intervalMs })
      }
      if (adopted.length < pieceSize) break
    }
    if (this.#rounds >= roundsBeforeTakingOver) await this.#store.forgetGone()
  }

  async #claim(): Promise<void> {
    const wanted: string[] = []
    for (const [apId, entry] of this.#entries)
      if (entry.state === undefined || (entry.state === 'stale' && entry.seenAt > entry.silentSince))
        wanted.push(apId)
    for (const piece of pieces(wanted)) {
      const kept = new Map(
        (await this.#store.claim(this.#keeper, piece)).map((each) => [each.apId, each.intervalS]),
      )
      for (const apId of piece) {
        const intervalS = kept.get(apId)
        const entry = this.#entries.get(apId)
        if (intervalS === undefined) this.#entries.delete(apId)
        else if (entry) Object.assign(entry, { state: 'online', intervalMs: intervalS * 1000 })
      }
    }
  }

  async #judge(): Promise<void> {
    const watchedMs = this.#watchedMs
    const verdicts: (Verdict & { entry: Entry; seenAt: number })[] = []
    for (const [apId, entry] of this.#entries) {
      const state = this.#verdictOn(entry)
      if (state && state !== entry.state)
        verdicts.push({ apId, state, quietS: (watchedMs - entry.seenAt) / 1000, entry, seenAt: entry.seenAt })
    }
    for (const piece of pieces(verdicts)) {
      await this.#store.judge(this.#keeper, piece)
      for (const { apId, state, entry, seenAt } of piece)
        if (state === 'stale') Object.assign(entry, { state, silentSince: seenAt })
        else if (entry.seenAt > seenAt) entry.state = undefined
        else this.#entries.delete(apId)
    }
  }

  #verdictOn(entry: Entry): Verdict['state'] | undefined {
    if (this.#isQuiet(entry, offlineAfter)) return 'offline'
    return this.#isQuiet(entry, staleAfter) ? 'stale' : undefined
  }

  #isQuiet({ seenAt, intervalMs }: Entry, intervals: number): boolean {
    return this.#watchedMs - seenAt >= intervals * intervalMs
  }
}

function* pieces<T>(items: T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += pieceSize) yield items.slice(start, start + pieceSize)
}
