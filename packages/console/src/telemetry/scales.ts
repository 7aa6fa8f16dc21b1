import { isKpi, kpis } from '@manc/contract/kpis'
import type { Threshold } from './draw-thresholds.ts'

/** Packet loss is bad at a few percent, which a scale up to 100 does not show. */
const ends: Record<string, readonly number[]> = { packet_loss_pct: [10, 100], signal_quality: [1] }
const ofPercentages = [100]

/** Upper ends of the fixed scale of a metric; undefined if its scale follows the values. */
export const scaleEndsOf = (metric: string, unit: string): readonly number[] | undefined =>
  ends[metric] ?? (unit === '%' ? ofPercentages : undefined)

/** The first degraded and the first bad value of a KPI. */
export function thresholdsOf(metric: string): Threshold[] {
  if (!isKpi(metric)) return []
  const { thresholds, better } = kpis[metric]
  if (!thresholds) return []
  const side = better === 'more' ? 'below' : 'above'
  return (['degraded', 'bad'] as const).map((level) => ({ level, value: thresholds[level], side }))
}
