import type { AlarmRow } from '../alarms/index.ts'
import type { Entry, RouteRow } from './notifications.types.ts'
import { quietForS } from './quiet-hours.rules.ts'

/** What happens to the alarms of a group. */
export interface Plan {
  /** For a message. */
  raised: AlarmRow[]
  cleared: AlarmRow[]
  /** For a message to the receiver of the escalation. */
  escalated: AlarmRow[]
  /** Ids of alarms that need no escalation any more. */
  settled: string[]
  /** Ids of alarms of which nothing is to be said. */
  dropped: string[]
  /** Ids of alarms that are looked at again later. */
  held: string[]
  /** Seconds until then. */
  holdS: number
}

/** Quiet hours are evaluated again at least this often: clocks are changed, and routes too. */
const maxHoldS = 900
const maxRecheckS = 30

/** It is silenced, or its agent is offline: the alarm of that is enough. */
const isSuppressed = ({ silencedUntil, isInhibited }: AlarmRow): boolean =>
  silencedUntil !== null || isInhibited

/** `mayNotify`: the interval since the last message of the group has passed. */
export function planOf(
  entries: readonly Entry[],
  alarms: ReadonlyMap<string, AlarmRow>,
  route: Pick<RouteRow, 'quietHours' | 'groupWaitS'>,
  { mayNotify, now }: { mayNotify: boolean; now: Date },
): Plan {
  const quietS = route.quietHours ? quietForS(route.quietHours, now) : 0
  const isQuiet = ({ severity }: AlarmRow) => quietS > 0 && !route.quietHours?.except?.includes(severity)
  const plan: Plan = {
    raised: [],
    cleared: [],
    escalated: [],
    settled: [],
    dropped: [],
    held: [],
    holdS: Math.min(Math.max(route.groupWaitS, 1), maxRecheckS),
  }
  let isAllQuiet = true
  for (const { alarmId, state } of entries) {
    const alarm = alarms.get(alarmId)
    const hold = (isSuppressedNow: boolean) => {
      plan.held.push(alarmId)
      if (isSuppressedNow) isAllQuiet = false
    }
    if (!alarm) plan.dropped.push(alarmId)
    else if (state === 'notified') {
      if (alarm.clearedAt || alarm.acknowledgedAt) plan.settled.push(alarmId)
      else if (isSuppressed(alarm) || isQuiet(alarm)) hold(isSuppressed(alarm))
      else plan.escalated.push(alarm)
    } else if (!mayNotify) continue
    else if (state === 'cleared') {
      // Of a silenced alarm too: a receiver that got it as open has to see its end.
      if (isQuiet(alarm)) hold(false)
      else plan.cleared.push(alarm)
    } else if (alarm.clearedAt) plan.dropped.push(alarmId)
    else if (isSuppressed(alarm) || isQuiet(alarm)) hold(isSuppressed(alarm))
    else plan.raised.push(alarm)
  }
  if (isAllQuiet && quietS > 0) plan.holdS = Math.min(quietS, maxHoldS)
  return plan
}
