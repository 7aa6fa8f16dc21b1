/**
 * The level of a max-min fair division of airtime (Bertsekas and Gallager 1992, section 6.5.2): each of the first `count` gets
 * what it needs, but at most the level. Infinite where there is enough for all.
 */
export function fairLevel(needs: Float64Array, count: number, capacity: number): number {
  let total = 0
  for (let n = 0; n < count; n++) total += needs[n] as number
  if (total <= capacity || count === 0) return Number.POSITIVE_INFINITY
  let level = capacity / count
  for (;;) {
    let used = 0
    let above = 0
    for (let n = 0; n < count; n++) {
      const need = needs[n] as number
      if (need <= level) used += need
      else above += 1
    }
    const next = (capacity - used) / above
    if (above === 0 || next <= level * (1 + 1e-9)) return level
    level = next
  }
}
