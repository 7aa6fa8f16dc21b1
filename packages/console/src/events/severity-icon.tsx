import type { EventSeverity } from '@manc/sdk'
import { VisuallyHidden } from '@mantine/core'
import { IconAlertOctagon, IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import '../fleet/health.css'

const icons = { info: IconInfoCircle, warning: IconAlertTriangle, critical: IconAlertOctagon }
const colours = { info: '', warning: 'health-degraded', critical: 'health-bad' }

interface SeverityIconProps {
  severity: EventSeverity
  /** A text beside it says the severity. */
  isLabelled?: boolean
}

/** Of an event or an alarm, with a text for screen readers. */
export function SeverityIcon({ severity, isLabelled = false }: SeverityIconProps) {
  const Icon = icons[severity]
  return (
    <>
      <Icon size={16} className={colours[severity]} style={{ flex: 'none' }} aria-hidden />
      {!isLabelled && <VisuallyHidden>{severity}</VisuallyHidden>}
    </>
  )
}
