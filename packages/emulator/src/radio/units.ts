/** Thermal noise at 290 K, of each hertz. */
export const thermalNoiseDbmPerHz = -174

/** With e rather than 10, which takes half the time. */
export function fromDb(decibels: number): number {
  return Math.exp(decibels * (Math.LN10 / 10))
}

export function toDb(ratio: number): number {
  return Math.log(ratio) * (10 / Math.LN10)
}

export function clamp(value: number, least: number, most: number): number {
  return value < least ? least : value > most ? most : value
}

export function fourth(value: number): number {
  return value * value * (value * value)
}

/** To so many decimals: nobody measures 17 digits. */
export function rounded(value: number, decimals: 0 | 1 | 2 | 3): number {
  const factor = decimals === 0 ? 1 : decimals === 1 ? 10 : decimals === 2 ? 100 : 1000
  return Math.round(value * factor) / factor
}
