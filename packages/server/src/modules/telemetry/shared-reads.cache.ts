import { LRUCache } from 'lru-cache'

/** A single chart that polls about once a second gets a new answer every time … */
const singleCallerMs = 900
/** … and for any number of charts the same data is read at most once a second. */
const sharedMs = 1000

interface SharedRead {
  answer: Promise<string>
  startedAtMs: number
  isShared: boolean
}

/** Charts that need the same data share one read: while it is in progress, and up to a second after its start. */
export class SharedReads {
  readonly #inProgress = new Map<string, SharedRead>()
  readonly #done: LRUCache<string, SharedRead>

  readonly #countLookup: (isHit: boolean) => void

  constructor(options: { maxEntries: number; maxBytes: number; countLookup: (isHit: boolean) => void }) {
    this.#done = new LRUCache({ max: options.maxEntries, maxSize: options.maxBytes })
    this.#countLookup = options.countLookup
  }

  async read(key: string, read: () => Promise<string>): Promise<string> {
    const known = this.#inProgress.get(key) ?? this.#done.get(key)
    const isHit = known !== undefined && isFresh(known)
    this.#countLookup(isHit)
    if (isHit) {
      known.isShared = true
      return known.answer
    }
    const current: SharedRead = { answer: read(), startedAtMs: Date.now(), isShared: false }
    this.#inProgress.set(key, current)
    try {
      const { length } = await current.answer
      this.#done.set(key, current, { size: length + key.length })
    } finally {
      if (this.#inProgress.get(key) === current) this.#inProgress.delete(key)
    }
    return current.answer
  }
}

/** The data is as old as the start of its read. A negative age means that the clock was set back. */
function isFresh({ startedAtMs, isShared }: SharedRead): boolean {
  const ageMs = Date.now() - startedAtMs
  return ageMs >= 0 && ageMs < (isShared ? sharedMs : singleCallerMs)
}
