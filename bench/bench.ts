interface Options {
  /** Fewer and shorter rounds: enough to see that it works and has not become slow, too few to quote. */
  quick: boolean
  say: (line: string) => void
}

export type Bench = (options: Options) => Promise<{ ratio: number } & Record<string, unknown>>

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return Number.isInteger(middle)
    ? ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
    : (sorted[Math.floor(middle)] ?? Number.NaN)
}

export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
  Number.NaN

export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits))
