/** Statistics over repeated measurements, as experiments and benches report them. */

/** A mean with half of its 95 % interval, which is null where one value is all that is known. */
export interface Mean {
  mean: number
  interval: number | null
}

export interface Distribution extends Mean {
  median: number
  p5: number
  p95: number
}

/** Two-sided 95 % quantiles of Student's distribution, by degrees of freedom from 1 on. */
const student = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045,
]
/** Of the normal distribution, for more degrees of freedom. */
const normal = 1.96

/** NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return Number.isInteger(middle)
    ? ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
    : (sorted[Math.floor(middle)] ?? Number.NaN)
}

/** The value below which a part of the values is: one of them, without interpolation. NaN without values. */
export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
  Number.NaN

/** NaN without values. */
export function meanOf(values: readonly number[]): Mean {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  if (count < 2) return { mean, interval: null }
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1)
  return { mean, interval: (student[count - 2] ?? normal) * Math.sqrt(variance / count) }
}

export const distributionOf = (values: readonly number[]): Distribution => ({
  ...meanOf(values),
  median: median(values),
  p5: percentile(values, 0.05),
  p95: percentile(values, 0.95),
})
