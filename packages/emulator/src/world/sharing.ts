/**
 * The level of a max-min fair division (Bertsekas and Gallager 1992, section 6.5.2): each gets what it needs, but at most the
 * level, and the sum is the capacity. Entry n stands for `weights[n]` that need `needs[n]` each. Infinite where there is enough
 * for all.
 */
export function levelOf(
  needs: ArrayLike<number>,
  weights: ArrayLike<number>,
  [from, to]: readonly [number, number],
  capacity: number,
): number {
  let total = 0
  let count = 0
  for (let n = from; n < to; n++) {
    total += (needs[n] as number) * (weights[n] as number)
    count += weights[n] as number
  }
  if (total <= capacity) return Number.POSITIVE_INFINITY
  let level = Math.max(0, capacity) / count
  // The level grows in each round, until no more of them are below it.
  for (;;) {
    let used = 0
    let above = 0
    for (let n = from; n < to; n++) {
      const need = needs[n] as number
      if (need <= level) used += need * (weights[n] as number)
      else above += weights[n] as number
    }
    const next = (capacity - used) / above
    if (above === 0 || next <= level * (1 + 1e-12)) return level
    level = next
  }
}

/** 2.4 GHz: channels of 20 MHz are 5 MHz apart. 5 GHz: those of the same 80 MHz are one channel. */
export function isSameAir(channel: number, other: number): boolean {
  if (channel === other) return true
  if (channel <= 13 || other <= 13) return channel <= 13 && other <= 13 && Math.abs(channel - other) < 5
  return blockOf(channel) === blockOf(other)
}

/** The blocks of 80 MHz begin at channels 36, 52, 100, 116, 132 and 149. */
function blockOf(channel: number): number {
  return channel >= 149 ? 149 : Math.floor((channel - 36) / 16)
}
