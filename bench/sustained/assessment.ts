import { rounded } from '../bench.ts'
import type { Done } from './agents.ts'
import { type Moment, type Part, parts } from './moments.ts'
import { metricNames } from './sample-text.ts'

const maxLagS = 30
const leastPace = 0.99
/**
 * Memory counts as flat if it grows by no more than one of these between the middle and the end of the run. Before the
 * middle heaps, logs and caches fill: the broker's for about four minutes.
 */
const maxGrowth = 0.05
const maxGrowthMib = 64
const memoryOf: readonly Part[] = ['ingester', 'api', 'rabbitmq', 'victoria']
/** Memory is not judged in shorter runs. */
const leastSForMemory = 480
/** Costs are measured from here on. */
const warmUpS = 30

const mib = 2 ** 20

export interface Load {
  /** Each sends a message a second. */
  agents: number
  /** In each message. */
  samples: number
}

export interface Outcome extends Load {
  moments: Moment[]
  end: Done
  storedPoints: number
  /** Why the run was aborted, if it was. */
  givenUp: string | undefined
}

export type Assessment = ReturnType<typeof assess>

export function assess({ agents, samples, moments, end, storedPoints, givenUp }: Outcome) {
  const last = moments.at(-1)
  const pointsOfMessage = samples * metricNames.length
  const points = end.acknowledged * pointsOfMessage
  const lostPoints = Math.max(0, points - storedPoints)
  const pace = end.acknowledged / end.due
  const memory = memoryIn(moments)
  const isTooMuch = storedPoints > end.sent * pointsOfMessage
  const lagS = last ? lagOf(last) : Number.POSITIVE_INFINITY
  const reasons = [
    givenUp,
    lostPoints > 0 ? `${lostPoints} acknowledged points are not stored` : undefined,
    isTooMuch ? 'there are more points than were sent' : undefined,
    pace < leastPace ? `only ${rounded(pace, 3)} of the messages that were due were acknowledged` : undefined,
    lagS < maxLagS ? undefined : `the lag at the end is ${rounded(lagS, 1)} s`,
    ...memoryOf.map((part) => (hasGrown(memory[part]) ? `the memory of ${part} grows` : undefined)),
  ].filter((reason) => reason !== undefined)
  return {
    agents,
    samples_per_message: samples,
    points_per_s: agents * pointsOfMessage,
    seconds: Math.round(last?.atS ?? 0),
    held: reasons.length === 0,
    reasons,
    acknowledged: end.acknowledged,
    acknowledged_of_due: rounded(pace, 4),
    acknowledged_p50_ms: end.acknowledgedP50Ms,
    acknowledged_p99_ms: end.acknowledgedP99Ms,
    stored_points: storedPoints,
    lost_points: lostPoints,
    lag_s: rounded(last?.lagS ?? Number.NaN, 1),
    visible_lag_s: rounded(last?.visibleLagS ?? Number.NaN, 1),
    longest_lag_s: rounded(Math.max(...moments.map(lagOf)), 1),
    rss_mib: Object.fromEntries(Object.entries(memory).map(([part, growth]) => [part, growth ?? []])),
    cpu_s_per_million_points: costIn(moments, pointsOfMessage),
    ...coresIn(moments),
  }
}

const lagOf = ({ lagS, visibleLagS }: Moment): number => Math.max(lagS, visibleLagS)

/** Whether ingestion falls behind at this moment. */
export function isBad(moment: Moment, before: Moment | undefined): boolean {
  const due = moment.due - (before?.due ?? 0)
  const acknowledged = moment.acknowledged - (before?.acknowledged ?? 0)
  return lagOf(moment) > maxLagS || acknowledged < due * 0.9
}

type Growth = [earlyMib: number, lateMib: number]

function memoryIn(moments: readonly Moment[]): Partial<Record<Part, Growth>> {
  const endS = moments.at(-1)?.atS ?? 0
  if (endS < leastSForMemory) return {}
  // All processes collect garbage, some once in minutes: the minimum after a collection must not grow.
  const early = moments.filter(({ atS }) => atS > endS * 0.4 && atS <= endS * 0.65)
  const late = moments.filter(({ atS }) => atS > endS * 0.75)
  const of = (part: Part, stretch: readonly Moment[]) =>
    Math.round(Math.min(...stretch.map(({ usage }) => usage[part].rssBytes / mib)))
  return Object.fromEntries(memoryOf.map((part) => [part, [of(part, early), of(part, late)]]))
}

function hasGrown(growth: Growth | undefined): boolean {
  if (!growth) return false
  const [early, late] = growth
  return late - early > maxGrowthMib && late > early * (1 + maxGrowth)
}

function steadyIn(moments: readonly Moment[]): { first: Moment; last: Moment } | undefined {
  const last = moments.at(-1)
  const first = moments.find(({ atS }) => atS >= Math.min(warmUpS, (last?.atS ?? 0) / 2))
  return first && last && first !== last ? { first, last } : undefined
}

/** CPU seconds per process, for our processes, for the engines, and in total. */
function costIn(moments: readonly Moment[], pointsOfMessage: number): Record<string, number> {
  const steady = steadyIn(moments)
  if (!steady) return {}
  const { first, last } = steady
  const millions = ((last.acknowledged - first.acknowledged) * pointsOfMessage) / 1e6
  const of = (...some: readonly Part[]) =>
    rounded(some.reduce((sum, part) => sum + last.usage[part].cpuS - first.usage[part].cpuS, 0) / millions)
  return {
    ...Object.fromEntries(parts.map((part) => [part, of(part)])),
    ours: of('ingester', 'api'),
    engines: of('rabbitmq', 'victoria', 'postgres'),
    all: of(...parts),
  }
}

/** CPU time of the whole machine. The excess over the sum of the processes is the kernel or other programs. */
function coresIn(moments: readonly Moment[]): Record<'cores_busy' | 'cores_stolen', number> {
  const { first, last } = steadyIn(moments) ?? {}
  const rate = (time: 'busyS' | 'stolenS') =>
    first && last ? rounded((last[time] - first[time]) / (last.atS - first.atS)) : Number.NaN
  return { cores_busy: rate('busyS'), cores_stolen: rate('stolenS') }
}
