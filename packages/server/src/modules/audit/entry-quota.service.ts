import { LRUCache } from 'lru-cache'

interface Options {
  perMinute: number
  onReached: () => void
}

/** More owners than this in one minute: the least recent ones start again at 0. */
const maxOwners = 20_000

/** Bounds how many entries one owner writes per minute. Per process, like rate limits. */
export class EntryQuota {
  readonly #used = new LRUCache<string, { minute: number; entries: number }>({ max: maxOwners })
  #options: Options = { perMinute: Number.POSITIVE_INFINITY, onReached: () => {} }

  configure(options: Options): void {
    this.#options = options
  }

  /** False if the owner has used up the quota of this minute. */
  take(owner: string): boolean {
    const minute = currentMinute()
    const used = this.#used.get(owner)
    const entries = used?.minute === minute ? used.entries + 1 : 1
    if (entries > this.#options.perMinute) {
      this.#options.onReached()
      return false
    }
    this.#used.set(owner, { minute, entries })
    return true
  }
}

export const currentMinute = (): number => Math.floor(Date.now() / 60_000)

/** Of this process: `recordAudit` is called inside the transactions of all modules. */
export const entryQuota = new EntryQuota()
