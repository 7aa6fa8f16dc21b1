import type { Technology } from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { type Metric, metricOf, storedSelection, storeSelection } from './metrics.ts'

/** The metrics of an access point in the last hour or, if there are none, in the last week. */
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

/** The selected metrics, stored for each technology. */
export function useMetricSelection(technology: Technology, metrics: readonly Metric[]) {
  const [changedSelection, setChangedSelection] = useState<string[]>()
  const selection = changedSelection ?? storedSelection(technology, metrics)
  const select = (names: string[]) => {
    storeSelection(technology, names)
    setChangedSelection(names)
  }
  const shown = selection.flatMap((name) => metrics.find((metric) => metric.name === name) ?? [])
  return [shown, select] as const
}
