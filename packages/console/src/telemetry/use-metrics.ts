import type { Technology } from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { type Metric, metricOf, storedSelection, storeSelection } from './metrics.ts'

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
export function useMetricSelection(technology: Technology, metrics: readonly Metric[]) {
  const [changed, setChanged] = useState<string[]>()
  const chosen = changed ?? storedSelection(technology, metrics)
  const choose = (names: string[]) => {
    storeSelection(technology, names)
    setChanged(names)
  }
  const shown = chosen.flatMap((name) => metrics.find((metric) => metric.name === name) ?? [])
  return [shown, choose] as const
}
