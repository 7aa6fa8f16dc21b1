/**
 * The value is a function of time and metric, so that each stored point can be checked without other data. The
 * division comes last: a sum such as 1 + 0.14 has more digits than the store keeps.
 */
export const valueOf = (ts: number, metric: number): number => ((ts % 1_000_000) * 100 + metric) / 100

export const payloadOf = (ts: number, metrics: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: metrics }, (_, n) => [`metric_${n}`, valueOf(ts, n)]))
