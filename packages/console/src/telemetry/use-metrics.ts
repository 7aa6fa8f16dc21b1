import type { Technology } from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useManc } from '../frame/session.tsx'
import { chosenBefore, type Metric, metricOf, rememberChosen } from './metrics.ts'

/** What an access point measures: lately or, where it has been silent, in the last week. */
export function useMetrics(apId: string) {
  const manc = useManc()
  return useQuery({
    queryKey: ['metrics', apId],
    queryFn: async ({ signal }): Promise<Metric[]> => {
      const { metrics } = await manc.telemetry.metrics(apId, { window: '1h', signal })
      if (metrics.length > 0) return metrics.map(metricOf)
      return (await manc.telemetry.metrics(apId, { window: '1w', signal })).metrics.map(metricOf)
    },
    staleTime: 30_000,
    refetchInterval: 60_000,
  })
}

/** Which of them are shown: remembered for the technology. */
export function useChosen(technology: Technology, metrics: readonly Metric[]) {
  const [changed, setChanged] = useState<string[]>()
  const chosen = changed ?? chosenBefore(technology, metrics)
  const choose = (names: string[]) => {
    rememberChosen(technology, names)
    setChanged(names)
  }
  const shown = chosen.flatMap((name) => metrics.find((metric) => metric.name === name) ?? [])
  return [shown, choose] as const
}
