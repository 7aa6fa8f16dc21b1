import type { EventKind } from '@manc/contract'
import type { NewEvent } from '../events/index.ts'
import type { ChangedAlarm, ClearedAlarm } from './alarms.types.ts'

/** An alarm that flaps is reported as such, and not as raised again. */
export const raisedEvent = (alarm: ChangedAlarm): NewEvent =>
  alarm.isFlapping ? ofAlarm('alarm_flapping', alarm) : ofAlarm('alarm_raised', alarm, { value: alarm.value })

export const clearedEvent = (alarm: ClearedAlarm): NewEvent => ({
  ...ofAlarm('alarm_cleared', alarm, { reason: alarm.clearReason }),
  severity: 'info',
})

export const acknowledgedEvent = (alarm: ChangedAlarm, by: string): NewEvent => ({
  ...ofAlarm('alarm_acknowledged', alarm),
  severity: 'info',
  subject: by,
})

const ofAlarm = (kind: EventKind, alarm: ChangedAlarm, more: Record<string, unknown> = {}): NewEvent => ({
  kind,
  severity: alarm.severity,
  apId: alarm.apId,
  // The agent may be removed by now, and with it what the fleet knows about its owner.
  ...(alarm.emulatedBy !== null && { emulatedBy: alarm.emulatedBy }),
  subject: null,
  data: { alarm: alarm.id, rule_id: alarm.ruleId, rule: alarm.ruleName, ...more },
})
