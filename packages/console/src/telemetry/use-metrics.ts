import type { Technology } from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
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

interface Selection {
  /** Names in the address; undefined: the last selection for this technology. */
  selected: readonly string[] | undefined
  onSelect: (names: string[]) => void
}

/** The selected metrics. A change is stored for the technology as well. */
export function useMetricSelection(
  technology: Technology,
  metrics: readonly Metric[],
  { selected, onSelect }: Selection,
) {
  const names = selected ?? storedSelection(technology, metrics)
  const select = (next: string[]) => {
    storeSelection(technology, next)
    onSelect(next)
  }
  const shown = names.flatMap((name) => metrics.find((metric) => metric.name === name) ?? [])
  return [shown, select] as const
}
