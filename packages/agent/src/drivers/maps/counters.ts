/** A counter of a device at one time. */
export interface CounterValue {
  value: number | bigint
  /** Width after which it wraps to 0. Undefined: it does not wrap, and a smaller value is a restart from 0. */
  bits?: 32 | 64 | undefined
}

interface Seen {
  value: number | bigint
  atMs: number
}

/** Counters that are no longer read are forgotten with this many others. */
const maxCounters = 20_000

/** Increases of counters between readings. */
export class Counters {
  #before = new Map<string, Seen>()
  #now = new Map<string, Seen>()

  /** Between two readings: counters that the last one did not have are forgotten. */
  next(): void {
    this.#before = this.#now
    this.#now = new Map()
  }

  /** All counters may have restarted: the device did. */
  reset(): void {
    this.#before = new Map()
    this.#now = new Map()
  }

  /** Undefined at the first reading of this counter, and where it cannot be known. */
  increase(
    key: string,
    { value, bits }: CounterValue,
    atMs: number,
  ): { by: number; seconds: number } | undefined {
    if (this.#now.size < maxCounters) this.#now.set(key, { value, atMs })
    const then = this.#before.get(key)
    if (!then) return undefined
    const seconds = (atMs - then.atMs) / 1000
    if (seconds <= 0) return undefined
    const by = difference(then.value, value, bits)
    return by === undefined ? undefined : { by, seconds }
  }
}

/**
 * A counter that has wrapped cannot be told from one that restarted. It is taken for wrapped if it has counted less than half
 * of its range, which a restart near the beginning of the range would not look like. One that was beyond the range is not of this
 * width.
 */
function difference(
  then: number | bigint,
  now: number | bigint,
  bits: 32 | 64 | undefined,
): number | undefined {
  if (typeof then === 'bigint' || typeof now === 'bigint') {
    const by = BigInt(now) - BigInt(then)
    if (by >= 0n) return Number(by)
    if (bits === undefined) return Number(now)
    if (BigInt(then) >= 1n << BigInt(bits)) return undefined
    const wrapped = by + (1n << BigInt(bits))
    return wrapped < 1n << BigInt(bits - 1) ? Number(wrapped) : undefined
  }
  const by = now - then
  if (by >= 0) return by
  if (bits === undefined) return now
  if (then >= 2 ** bits) return undefined
  const wrapped = by + 2 ** bits
  return wrapped < 2 ** (bits - 1) ? wrapped : undefined
}
