/**
 * Stateless random numbers: each is a hash of its key (seed, device, time slot), so any moment can be computed separately
 * and gives the same number again, also after a crash.
 */

/** FNV-1a, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash | 0
}

/** A seed for two numbers: a multiplicative hash, then the finaliser of MurmurHash3. */
export function mix(seed: number, a: number, b = 0): number {
  let hash = seed ^ Math.imul(a | 0, 0x9e3779b1) ^ Math.imul((b | 0) + 0x7f4a7c15, 0x85ebca77)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** Uniform in [0, 1). */
export function unit(hash: number): number {
  return (hash >>> 0) / 0x1_0000_0000
}

/** Approximately standard normal: the sum of the four bytes of a hash (Irwin-Hall), at most 3.5 either way. */
function normal(hash: number): number {
  const sum = (hash & 255) + ((hash >>> 8) & 255) + ((hash >>> 16) & 255) + (hash >>> 24)
  return (sum - 510) / 147.8
}

/** Exponential with mean 1, at most 22. */
export function exponential(hash: number): number {
  return -Math.log(1 - unit(hash))
}

/** A value in [0, 1) that varies around 0.5: a new target in each slot, with smooth transitions. `slots` is time in slots. */
export function drift(seed: number, slots: number): number {
  const slot = Math.floor(slots)
  const from = unit(mix(seed, slot))
  return from + (unit(mix(seed, slot + 1)) - from) * smooth(slots - slot)
}

/** The same with exponential targets, so mean 1 and a long tail: the current demand of a device. */
export function bursts(seed: number, slots: number): number {
  const slot = Math.floor(slots)
  const from = exponential(mix(seed, slot))
  return from + (exponential(mix(seed, slot + 1)) - from) * smooth(slots - slot)
}

/**
 * A field of standard normal values, correlated over about one unit of length, so that a place always has the same
 * shadowing. Bilinear between the corners of a grid, and normalised so that the variance is 1 everywhere.
 */
export function landscape(seed: number, x: number, y: number): number {
  const column = Math.floor(x)
  const row = Math.floor(y)
  const right = x - column
  const up = y - row
  const left = 1 - right
  const down = 1 - up
  const height =
    down * (left * normal(mix(seed, column, row)) + right * normal(mix(seed, column + 1, row))) +
    up * (left * normal(mix(seed, column, row + 1)) + right * normal(mix(seed, column + 1, row + 1)))
  return height / Math.sqrt((left * left + right * right) * (down * down + up * up))
}

function smooth(part: number): number {
  return part * part * (3 - 2 * part)
}
