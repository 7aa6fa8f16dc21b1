import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import { isLive, isOngoing, periodOf, type TimeRange } from '../range/time-range.ts'
import { useLive } from './live.ts'
import { type Points, pointsIn } from './points.ts'

/** The longest window that can be read up to now. */
const maxWindowS = 31 * 86_400
const refreshMs = 60_000
const noPoints: Points = { at: [], values: [] }

interface ReadingsOptions {
  apId: string
  metrics: readonly string[]
  range: TimeRange
}

/** Values of an access point in a range: live ones are updated every second, those of a period once it is over are read once. */
export function useReadings({ apId, metrics, range }: ReadingsOptions) {
  const manc = useManc()
  const windowS = isLive(range) && range.lastS <= maxWindowS ? range.lastS : undefined
  const isFollowed = windowS !== undefined
  const live = useLive({ apIds: [apId], metrics, windowS: windowS ?? 60, isPaused: !isFollowed })
  const period = useQuery({
    queryKey: ['period', apId, metrics, range],
    enabled: !isFollowed && metrics.length > 0,
    queryFn: async ({ signal }) => {
      const { fromMs, toMs } = periodOf(range, Date.now())
      const times = { from: new Date(fromMs), to: new Date(toMs) }
      const { series } = await manc.telemetry.series(apId, metrics, { ...times, signal })
      const points = new Map(series.map((each) => [each.metric, pointsIn(each.points, fromMs, toMs)]))
      return { fromMs, toMs, points }
    },
    placeholderData: keepPreviousData,
    refetchInterval: () => isOngoing(range, Date.now()) && refreshMs,
    staleTime: 10_000,
    structuralSharing: false,
  })
  if (windowS !== undefined)
    return {
      isRead: live.atMs !== undefined,
      fromMs: live.toMs - windowS * 1000,
      toMs: live.toMs,
      lastUpdateMs: live.lastUpdateMs,
      error: live.error,
      refetch: live.refetch,
      pointsOf: (metric: string): Points => live.pointsOf(apId, metric),
    }
  // The axes move at once, also while the values are read.
  const { fromMs, toMs } = isLive(range) ? (period.data ?? periodOf(range, Date.now())) : range
  return {
    // Until they are read, those of the live charts are shown.
    isRead: period.data !== undefined || live.atMs !== undefined,
    fromMs,
    toMs,
    lastUpdateMs: undefined,
    error: period.error,
    refetch: period.refetch,
    pointsOf: (metric: string): Points =>
      period.data ? (period.data.points.get(metric) ?? noPoints) : live.pointsOf(apId, metric),
  }
}
