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
const minRecheckS = 5
const maxRecheckS = 300
/** Alarms of one group that are held back and looked at again, per second. */
const recheckedPerS = 200

/** It is silenced, or another alarm is enough: that its agent is offline, or that its KPI is worse. */
const isSuppressed = ({ silencedUntil, inhibitedBy }: AlarmRow): boolean =>
  silencedUntil !== null || inhibitedBy !== null

/** Longer if there are many, so that the load is bounded. */
const recheckInS = (held: number): number =>
  Math.min(Math.max(Math.ceil(held / recheckedPerS), minRecheckS), maxRecheckS)

/** `others`: how many alarms of the group are not in `entries`. */
export function planOf(
  entries: readonly Entry[],
  alarms: ReadonlyMap<string, AlarmRow>,
  { quietHours }: Pick<RouteRow, 'quietHours'>,
  { others, now }: { others: number; now: Date },
): Plan {
  const quietS = quietHours ? quietForS(quietHours, now) : 0
  const isQuiet = ({ severity }: AlarmRow) => quietS > 0 && !quietHours?.except?.includes(severity)
  const plan: Plan = {
    raised: [],
    cleared: [],
    escalated: [],
    settled: [],
    dropped: [],
    held: [],
    holdS: 0,
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
    } else if (state === 'cleared') {
      // Of a silenced alarm too: a receiver that got it as open has to see its end.
      if (isQuiet(alarm)) hold(false)
      else plan.cleared.push(alarm)
    } else if (alarm.clearedAt) plan.dropped.push(alarmId)
    else if (isSuppressed(alarm) || isQuiet(alarm)) hold(isSuppressed(alarm))
    else plan.raised.push(alarm)
  }
  plan.holdS = recheckInS(plan.held.length + others)
  if (isAllQuiet && quietS > 0) plan.holdS = Math.max(plan.holdS, Math.min(quietS, maxHoldS))
  return plan
}
