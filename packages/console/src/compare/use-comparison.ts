import type { Manc } from '@manc/sdk'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import { isLive, isOngoing, type Period, periodOf, type TimeRange } from '../range/time-range.ts'
import { type Points, pointsIn, spreadOf } from '../telemetry/points.ts'
import type { Subject } from './compare-lines.ts'
import { type Second, secondPeriod } from './compare-search.ts'

/** What a value of the table is: of the values over time, or of the access points. */
interface Figures {
  /** The mean over time, or the median over access points. */
  centre: number
  lowest: number
  p10: number
  p90: number
  p95: number
  highest: number
}

interface MetricValues {
  points: Points
  /** The edges of the band of many access points, at the times of the points. */
  band?: { p10: number[]; p90: number[] }
  /** Undefined without values. */
  figures: Figures | undefined
}

/** The values of one line. */
export interface SubjectValues extends Period {
  byMetric: ReadonlyMap<string, MetricValues>
  /** Of a technology or a group: how many access points there are, and of how many the values are. */
  agents?: { total: number; read: number }
}

interface ComparisonOptions {
  subjects: readonly Subject[]
  metrics: readonly string[]
  range: TimeRange
  second: Second
}

/** A long range changes slowly, and costs more. */
const refreshMs = (lastS: number, isTechnology: boolean) =>
  Math.min(60_000, Math.max(isTechnology ? 5000 : 2000, lastS * 3))

/** The values of all lines, in the order of the subjects. */
export function useComparison({ subjects, metrics, range, second }: ComparisonOptions) {
  const manc = useManc()
  const queries = useQueries({
    queries: subjects.map(({ apId, group, technology, isSecond }) => ({
      queryKey: ['comparison', apId ?? group ?? technology, metrics, range, isSecond && second],
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<SubjectValues> => {
        const first = periodOf(range, Math.floor(Date.now() / 1000) * 1000)
        const period = isSecond ? secondPeriod(first, second) : first
        return apId === undefined
          ? ofMany(manc, group ? { agents: group } : { technology }, metrics, period, signal)
          : ofAgent(manc, apId, metrics, period, signal)
      },
      placeholderData: keepPreviousData,
      refetchInterval: () =>
        isOngoing(range, Date.now()) &&
        refreshMs(isLive(range) ? range.lastS : (range.toMs - range.fromMs) / 1000, apId === undefined),
      staleTime: isLive(range) ? 0 : 60_000,
      structuralSharing: false as const,
    })),
  })
  const failed = queries.find(({ error, data }) => error && data === undefined)
  return {
    values: queries.map(({ data }) => data),
    isPending: queries.some(({ data, error }) => data === undefined && !error),
    error: failed?.error ?? queries.find(({ error }) => error)?.error ?? null,
    readAtMs: Math.min(...queries.map(({ dataUpdatedAt }) => dataUpdatedAt || Infinity)),
    refetch: () => {
      for (const query of queries) void query.refetch()
    },
  }
}

const timesOf = ({ fromMs, toMs }: Period) => ({ from: new Date(fromMs), to: new Date(toMs) })

async function ofAgent(
  manc: Manc,
  apId: string,
  metrics: readonly string[],
  period: Period,
  signal: AbortSignal,
): Promise<SubjectValues> {
  const { series } = await manc.telemetry.series(apId, metrics, { ...timesOf(period), signal })
  const byMetric = series.map(({ metric, points: received }): [string, MetricValues] => {
    const points = pointsIn(received, period.fromMs, period.toMs)
    if (points.values.length === 0) return [metric, { points, figures: undefined }]
    const { mean: centre, ...spread } = spreadOf(points.values)
    return [metric, { points, figures: { centre, ...spread } }]
  })
  return { ...period, byMetric: new Map(byMetric) }
}

async function ofMany(
  manc: Manc,
  over: Parameters<Manc['telemetry']['summary']>[0],
  metrics: readonly string[],
  period: Period,
  signal: AbortSignal,
): Promise<SubjectValues> {
  const options = { ...timesOf(period), signal }
  const { agents, read, series } = await manc.telemetry.summary(over, metrics, options)
  const byMetric = series.map(({ metric, points, spread }): [string, MetricValues] => [
    metric,
    {
      points: { at: points.map(({ ts }) => Date.parse(ts)), values: points.map(({ p50 }) => p50) },
      band: { p10: points.map(({ p10 }) => p10), p90: points.map(({ p90 }) => p90) },
      figures: spread
        ? {
            centre: spread.p50,
            lowest: spread.min,
            p10: spread.p10,
            p90: spread.p90,
            p95: spread.p95,
            highest: spread.max,
          }
        : undefined,
    },
  ])
  return { ...period, byMetric: new Map(byMetric), agents: { total: agents, read } }
}
