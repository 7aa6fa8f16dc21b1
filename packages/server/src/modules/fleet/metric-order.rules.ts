/**
 * Ids in the order of their values, those without a value last, and equal values in the order of the ids. Only the values
 * are sorted, as numbers: a page is then found with one pass over them. A comparison function for each pair of a large fleet
 * would block other requests.
 */
export class MetricOrder {
  readonly #ids: readonly string[]
  /** By position in the ids; NaN without a value. Negative for a descending order. */
  readonly #keys: Float64Array
  readonly #sorted: Float64Array

  /** `ids` in the order of equal values. */
  constructor(ids: readonly string[], valueOf: (apId: string) => number | undefined, isDescending: boolean) {
    this.#ids = ids
    this.#keys = Float64Array.from(ids, (apId) => {
      const value = valueOf(apId) ?? Number.NaN
      return isDescending ? -value : value
    })
    this.#sorted = this.#keys.filter((key) => !Number.isNaN(key)).sort()
  }

  get length(): number {
    return this.#ids.length
  }

  page(offset: number, limit: number): string[] {
    const known = this.#sorted.length
    const end = offset + limit
    const page = offset < known ? this.#withValues(offset, Math.min(end, known)) : []
    if (end > known) page.push(...this.#withoutValues(Math.max(0, offset - known), end - known))
    return page
  }

  #withValues(from: number, to: number): string[] {
    const [least = 0, greatest = 0] = [this.#sorted[from], this.#sorted[to - 1]]
    const positions: number[] = []
    for (const [position, key] of this.#keys.entries())
      if (key >= least && key <= greatest) positions.push(position)
    // Stable: equal values stay in the order of the ids.
    positions.sort((a, b) => (this.#keys[a] ?? 0) - (this.#keys[b] ?? 0))
    const before = firstAtLeast(this.#sorted, least)
    return positions.slice(from - before, to - before).map((position) => this.#ids[position] ?? '')
  }

  #withoutValues(from: number, to: number): string[] {
    const ids: string[] = []
    let seen = 0
    for (const [position, key] of this.#keys.entries()) {
      if (!Number.isNaN(key)) continue
      if (seen >= to) break
      if (seen >= from) ids.push(this.#ids[position] ?? '')
      seen += 1
    }
    return ids
  }
}

/** The number of values that are less. */
function firstAtLeast(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
