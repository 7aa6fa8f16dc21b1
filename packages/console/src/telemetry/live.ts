import type { Manc } from '@manc/sdk'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useManc } from '../app/session.tsx'
import { useLastUpdate } from '../ui/states.tsx'
import { LiveWindow, type Points } from './points.ts'

/** Read again each time: samples that were on their way, and the clocks of others. */
const overlapS = 15
/** Or more, where even the newest is older: as far as that is worth asking for each time. */
const maxPartS = 300
/** Samples may come late by more than that: then they are in the next reading of the whole. */
const fullReadIntervalMs = (spanS: number) => Math.max(60_000, (spanS * 1000) / 240)
/** Once a second, and with many access points each a little less often. */
const intervalMs = (count: number) => 1000 * Math.max(1, Math.ceil(count / 6))

interface Wish {
  apIds: readonly string[]
  metrics: readonly string[]
  windowS: number
  isPaused?: boolean
}

/**
 * Charts of the last while. The window is read once as a whole, then its last seconds once a second: a fraction of the cost,
 * and after an outage or a pause the part is as long as what was missed.
 */
export function useLive({ apIds, metrics, windowS, isPaused = false }: Wish) {
  const manc = useManc()
  const queries = useQueryClient()
  const [windows] = useState(() => new Map<string, LiveWindow>())
  const query = useQuery({
    queryKey: ['live', apIds, metrics, windowS],
    enabled: !isPaused && apIds.length > 0 && metrics.length > 0,
    queryFn: async ({ signal }) => {
      for (const apId of windows.keys()) if (!apIds.includes(apId)) windows.delete(apId)
      const reads = apIds.map((apId) => refresh(manc, windows, apId, { metrics, windowS, signal }))
      const outcomes = await Promise.allSettled(reads)
      const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      // One that has gone does not take the others with it.
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
  // What is on its way would still change it.
  useEffect(() => {
    if (isPaused) void queries.cancelQueries({ queryKey: ['live'] })
  }, [isPaused, queries])
  const lastUpdateMs = useLastUpdate(query.data?.newestMs)
  const { atMs = 0, newestMs = 0 } = query.data ?? {}
  return {
    /** When it was read; undefined before the first time. */
    atMs: query.data?.atMs,
    /** Where it ends: no clock of ours hides what was measured. */
    toMs: Math.max(atMs, newestMs) || Date.now(),
    /** When something new came in. */
    lastUpdateMs,
    error: query.error,
    refetch: query.refetch,
    of: (apId: string, metric: string): Points => windows.get(apId)?.of(metric) ?? { at: [], values: [] },
  }
}

async function refresh(
  manc: Manc,
  windows: Map<string, LiveWindow>,
  apId: string,
  { metrics, windowS, signal }: { metrics: readonly string[]; windowS: number; signal: AbortSignal },
): Promise<void> {
  const known = windows.get(apId)
  const nowMs = Date.now()
  const missedS = Math.ceil((nowMs - (known?.readAtMs ?? 0)) / 1000) - 2
  const behindS = Math.ceil((nowMs - (known?.newestMs ?? nowMs)) / 1000)
  const partS = Math.max(0, missedS, Math.min(maxPartS - overlapS, behindS)) + overlapS
  const isPart =
    known?.spanS === windowS &&
    known.has(metrics) &&
    partS < windowS &&
    nowMs - known.fullReadAtMs < fullReadIntervalMs(windowS)
  const { series } = await manc.telemetry.chart(apId, metrics, {
    window: `${isPart ? partS : windowS}s`,
    signal,
  })
  if (isPart) return known.extend(series, nowMs)
  const window = new LiveWindow(windowS)
  window.replace(series, nowMs)
  windows.set(apId, window)
}
