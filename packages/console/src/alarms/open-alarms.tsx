import { Badge } from '@mantine/core'
import { formatNumber } from '../format/number.ts'
import { levelColours } from '../telemetry/level-badge.tsx'
import { useAlarmSummary } from './use-alarms.ts'

/** Number of open alarms that are not acknowledged, in the navigation. */
export function OpenAlarms() {
  const { data } = useAlarmSummary()
  if (!data) return null
  const { critical, warning, info } = data
  const count = critical.unacknowledged + warning.unacknowledged + info.unacknowledged
  if (count === 0) return null
  const colour = critical.unacknowledged > 0 ? levelColours.bad : levelColours.degraded
  return (
    <Badge color={colour} size="sm" ml="auto" aria-label={`${count} not acknowledged`}>
      {formatNumber(count, 0)}
    </Badge>
  )
}
