import type { TelemetrySummary } from '@manc/contract'

type Spread = NonNullable<TelemetrySummary['series'][number]['spread']>

/** Of a chart, unless the caller asks for another step. */
const usualSteps = 240
export const maxSteps = 1000
/** Of one metric. The store reads a few ten millions in a second. */
export const maxSamples = 250_000_000
/** For standard users: anyone may sign up, and the store has to answer charts meanwhile. */
export const maxSamplesOfUsers = 25_000_000
/** Fewer agents do not represent a technology. */
const minAgents = 20
/** Lengths of steps that are read easily, in seconds. Longer ones are multiples of an hour. */
const lengthsS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600]

interface Sender {
  intervalS: number
}

/** The length of a step: not shorter than the usual interval between samples, since most steps would have no value. */
export function stepFor(periodS: number, agents: readonly Sender[]): number {
  const intervals = agents.map(({ intervalS }) => intervalS).sort((a, b) => a - b)
  const usualS = intervals[Math.floor(intervals.length * 0.9)] ?? 1
  const leastS = Math.max(periodS / usualSteps, Math.min(usualS, periodS))
  return lengthsS.find((lengthS) => lengthS >= leastS) ?? Math.ceil(leastS / 3600) * 3600
}

/** The first agents whose samples the store can read. Undefined if they are too few to represent all of them. */
export function affordable<Agent extends Sender>(
  agents: readonly Agent[],
  periodS: number,
  max: number,
): Agent[] | undefined {
  let samples = 0
  const count = agents.findIndex(({ intervalS }) => {
    samples += periodS / Math.max(0.1, intervalS)
    return samples > max
  })
  if (count < 0) return [...agents]
  return count < minAgents ? undefined : agents.slice(0, count)
}

/** Undefined without values. */
export function spreadOf(means: readonly number[]): Spread | undefined {
  const sorted = means.toSorted((a, b) => a - b)
  if (sorted.length === 0) return undefined
  const at = (part: number) => quantile(sorted, part)
  return {
    agents: sorted.length,
    min: at(0),
    p10: at(0.1),
    p50: at(0.5),
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    p90: at(0.9),
    p95: at(0.95),
    max: at(1),
  }
}

/** Between two values it is interpolated, as in the metrics store. */
function quantile(sorted: readonly number[], part: number): number {
  const rank = part * (sorted.length - 1)
  const below = sorted[Math.floor(rank)] ?? Number.NaN
  const above = sorted[Math.ceil(rank)] ?? below
  return below + (above - below) * (rank - Math.floor(rank))
}
