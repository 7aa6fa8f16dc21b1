import { type Health, type HealthReason, reasonText } from '@manc/contract/health'
import { Badge, Text } from '@mantine/core'
import { IconAlertOctagon, IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react'
import { levelColours } from '../telemetry/level-badge.tsx'
import { useNow } from '../ui/states.tsx'
import './health.css'

/** Those that need attention, the worst first. */
export const troubles = ['bad', 'degraded', 'offline'] as const satisfies readonly Health[]
export type Trouble = (typeof troubles)[number]

const icons = { bad: IconAlertOctagon, degraded: IconAlertTriangle, offline: IconPlugConnectedX }

/** Each has its own shape, so that colour is not the only difference. */
export function HealthIcon({ health }: { health: Trouble }) {
  const Icon = icons[health]
  return <Icon size={16} className={`health-${health}`} aria-hidden />
}

/** Nothing for an access point that needs no attention, or whose state says all. */
export function HealthBadge({ health }: { health: Health }) {
  if (health !== 'bad' && health !== 'degraded') return null
  const Icon = icons[health]
  return (
    <Badge
      color={levelColours[health]}
      size="sm"
      tt="none"
      leftSection={<Icon size={12} aria-hidden />}
      style={{ flex: 'none' }}
    >
      {health}
    </Badge>
  )
}

/** Why it is degraded or bad, with the time since then. */
export function HealthReasons({ reasons }: { reasons: readonly HealthReason[] }) {
  const now = useNow()
  const text = reasonText(reasons, now)
  return text && <Text span>{text}</Text>
}
