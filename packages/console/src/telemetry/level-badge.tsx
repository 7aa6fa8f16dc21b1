import { type KpiLevel, type KpiName, kpis } from '@manc/contract/kpis'
import { Badge, Tooltip } from '@mantine/core'
import { formatWithUnit } from '../format/number.ts'
import { alarmFills } from '../ui/colours.ts'

/** Dark enough for white text. */
export const levelColours: Record<Exclude<KpiLevel, 'good'>, string> = alarmFills

/** Marks a value that is degraded or bad, with its threshold. */
export function LevelBadge({ kpi, level }: { kpi: KpiName; level: KpiLevel | undefined }) {
  const { thresholds, unit, better } = kpis[kpi]
  if (!thresholds || !level || level === 'good') return null
  const limit = formatWithUnit(thresholds[level], unit)
  return (
    <Tooltip label={`${limit} or ${better === 'more' ? 'less' : 'more'}`}>
      <Badge color={levelColours[level]} size="sm" tt="none">
        {level}
      </Badge>
    </Tooltip>
  )
}
