import type { Manc } from '@manc/sdk'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useManc } from '../app/session.tsx'
import { useLastUpdate } from '../ui/states.tsx'
import { LiveWindow, type Points } from './points.ts'

/** Overlap of two reads, for late samples and clock differences. */
const overlapS = 15
/** Longest partial read, used if the newest sample is older than the overlap. */
const maxPartS = 300
/** Samples that are even later come with the next full read. */
const fullReadIntervalMs = (spanS: number) => Math.max(60_000, (spanS * 1000) / 240)
/** Once a second; less often for many access points. */
const intervalMs = (count: number) => 1000 * Math.max(1, Math.ceil(count / 6))

interface LiveOptions {
  apIds: readonly string[]
  metrics: readonly string[]
  windowS: number
  isPaused?: boolean
}

/**
 * Live data of a time window. The window is read once as a whole, then only its last seconds, which costs a fraction. After
 * an outage or a pause the partial read covers what was missed.
 */
export function useLive({ apIds, metrics, windowS, isPaused = false }: LiveOptions) {
  const manc = useManc()
  const queryClient = useQueryClient()
  const [windows] = useState(() => new Map<string, LiveWindow>())
  const query = useQuery({
    queryKey: ['live', apIds, metrics, windowS],
    enabled: !isPaused && apIds.length > 0 && metrics.length > 0,
    queryFn: async ({ signal }) => {
      for (const apId of windows.keys()) if (!apIds.includes(apId)) windows.delete(apId)
      const reads = apIds.map((apId) => refresh(manc, windows, apId, { metrics, windowS, signal }))
      const outcomes = await Promise.allSettled(reads)
      const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      // One missing access point does not fail the others.
      if (failures.length === apIds.length) throw failures[0]
      const newest = [...windows.values()].map(({ newestMs }) => newestMs ?? 0)
      return { atMs: Date.now(), newestMs: Math.max(...newest) || undefined }
    },
    refetchInterval: intervalMs(apIds.length),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
  })
  // A pending response would still change the paused charts.
  useEffect(() => {
    if (isPaused) void queryClient.cancelQueries({ queryKey: ['live'] })
  }, [isPaused, queryClient])
  const lastUpdateMs = useLastUpdate(query.data?.newestMs)
  const { atMs = 0, newestMs = 0 } = query.data ?? {}
  return {
    /** Time of the last read; undefined before the first one. */
    atMs: query.data?.atMs,
    /** End of the window: not before the newest sample, even if the clock of the browser is slow. */
    toMs: Math.max(atMs, newestMs) || Date.now(),
    /** When new data last arrived. */
    lastUpdateMs,
    error: query.error,
    refetch: query.refetch,
    pointsOf: (apId: string, metric: string): Points =>
      windows.get(apId)?.of(metric) ?? { at: [], values: [] },
  }
}

async function refresh(
  manc: Manc,
  windows: Map<string, LiveWindow>,
  apId: string,
  { metrics, windowS, signal }: { metrics: readonly string[]; windowS: number; signal: AbortSignal },
): Promise<void> {
  const previous = windows.get(apId)
  const nowMs = Date.now()
  const missedS = Math.ceil((nowMs - (previous?.readAtMs ?? 0)) / 1000) - 2
  const behindS = Math.ceil((nowMs - (previous?.newestMs ?? nowMs)) / 1000)
  const partS = Math.max(0, missedS, Math.min(maxPartS - overlapS, behindS)) + overlapS
  const isPart =
    previous?.spanS === windowS &&
    previous.has(metrics) &&
    partS < windowS &&
    nowMs - previous.fullReadAtMs < fullReadIntervalMs(windowS)
  const { series } = await manc.telemetry.chart(apId, metrics, {
    window: `${isPart ? partS : windowS}s`,
    signal,
  })
  if (isPart) return previous.extend(series, nowMs)
  const window = new LiveWindow(windowS)
  window.replace(series, nowMs)
  windows.set(apId, window)
}
