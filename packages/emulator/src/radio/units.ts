/** Thermal noise density at 290 K. */
export const thermalNoiseDbmPerHz = -174

/** exp rather than a power of 10, because it takes half the time. */
export function fromDb(decibels: number): number {
  return Math.exp(decibels * (Math.LN10 / 10))
}

export function toDb(ratio: number): number {
  return Math.log(ratio) * (10 / Math.LN10)
}

export function clamp(value: number, min: number, max: number): number {
  return value < min ? min : value > max ? max : value
}

export function fourth(value: number): number {
  return value * value * (value * value)
}

/** Rounds to a number of decimals that a device could measure. */
export function rounded(value: number, decimals: 0 | 1 | 2 | 3): number {
  const factor = decimals === 0 ? 1 : decimals === 1 ? 10 : decimals === 2 ? 100 : 1000
  return Math.round(value * factor) / factor
}
