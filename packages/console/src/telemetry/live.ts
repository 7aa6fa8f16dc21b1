import type { Manc } from '@manc/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useManc } from '../frame/session.tsx'
import { LiveWindow, type Points } from './points.ts'

/** Read again each time: samples that were on their way, and the clocks of others. */
const overlapS = 15
/** Samples may come late by more than that: then they are in the next reading of the whole. */
const wholeEveryMs = (spanS: number) => Math.max(60_000, (spanS * 1000) / 240)
/** Once a second, and with many access points each a little less often. */
const everyMs = (count: number) => 1000 * Math.max(1, Math.ceil(count / 6))

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
      return { atMs: Date.now() }
    },
    refetchInterval: everyMs(apIds.length),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
  })
  return {
    /** When it was read; undefined before the first time. */
    atMs: query.data?.atMs,
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
  const partS = Math.max(0, Math.ceil((nowMs - (known?.readAtMs ?? 0)) / 1000) - 2) + overlapS
  const isPart =
    known?.spanS === windowS &&
    known.has(metrics) &&
    partS < windowS &&
    nowMs - known.wholeAtMs < wholeEveryMs(windowS)
  const { series } = await manc.telemetry.chart(apId, metrics, {
    window: `${isPart ? partS : windowS}s`,
    signal,
  })
  if (isPart) return known.extend(series, nowMs)
  const window = new LiveWindow(windowS)
  window.replace(series, nowMs)
  windows.set(apId, window)
}
