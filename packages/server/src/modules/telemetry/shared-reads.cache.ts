import { LRUCache } from 'lru-cache'

/** A single chart that polls about once a second gets a new answer every time … */
const singleCallerMs = 900
/** … and for any number of charts the same data is read at most once a second. */
const sharedMs = 1000

interface SharedRead {
  answer: Promise<string>
  startedAtMs: number
  isShared: boolean
  /** How many wait for it. */
  callers: number
  unread: AbortController
}

interface Options {
  maxEntries: number
  maxBytes: number
  countLookup: (isHit: boolean) => void
  /**
   * Whether a read is joined as long as it is in progress. Otherwise only up to a second after its start: a chart gets newer
   * data than that of a slow read.
   */
  isJoinedLate?: boolean
}

/** Charts that need the same data share one read up to a second after its start. */
export class SharedReads {
  readonly #inProgress = new Map<string, SharedRead>()
  readonly #done: LRUCache<string, SharedRead>
  readonly #countLookup: (isHit: boolean) => void
  readonly #isJoinedLate: boolean

  constructor({ maxEntries, maxBytes, countLookup, isJoinedLate = false }: Options) {
    this.#done = new LRUCache({ max: maxEntries, maxSize: maxBytes })
    this.#countLookup = countLookup
    this.#isJoinedLate = isJoinedLate
  }

  /**
   * `signal` aborts when the caller has disconnected. The signal that `read` gets aborts when all callers of the read have:
   * those without a signal stay.
   */
  async read(
    key: string,
    read: (signal: AbortSignal) => Promise<string>,
    signal?: AbortSignal,
  ): Promise<string> {
    const running = this.#inProgress.get(key)
    const known = running ?? this.#done.get(key)
    const isHit = known !== undefined && (isFresh(known) || (running !== undefined && this.#isJoinedLate))
    this.#countLookup(isHit)
    if (isHit) {
      known.isShared = true
      if (running) this.#join(key, running, signal)
      return known.answer
    }
    const unread = new AbortController()
    const current: SharedRead = {
      answer: read(unread.signal),
      startedAtMs: Date.now(),
      isShared: false,
      callers: 0,
      unread,
    }
    this.#inProgress.set(key, current)
    this.#join(key, current, signal)
    try {
      const { length } = await current.answer
      this.#done.set(key, current, { size: length + key.length })
    } finally {
      if (this.#inProgress.get(key) === current) this.#inProgress.delete(key)
    }
    return current.answer
  }

  #join(key: string, read: SharedRead, signal: AbortSignal | undefined): void {
    read.callers += 1
    const leave = () => {
      read.callers -= 1
      if (read.callers > 0) return
      // The next caller starts another one.
      if (this.#inProgress.get(key) === read) this.#inProgress.delete(key)
      read.unread.abort()
    }
    if (signal?.aborted) leave()
    else signal?.addEventListener('abort', leave, { once: true })
  }
}

/** The data is as old as the start of its read. A negative age means that the clock was set back. */
function isFresh({ startedAtMs, isShared }: SharedRead): boolean {
  const ageMs = Date.now() - startedAtMs
  return ageMs >= 0 && ageMs < (isShared ? sharedMs : singleCallerMs)
}
