import type { NotificationRouteCreate, ValidationItem } from '@manc/contract'
import { isTimeZone } from '../../time-zones.ts'
import type { NewRoute } from './notifications.types.ts'

/** Validation has applied the defaults of the contract. */
export function routeOf(given: NotificationRouteCreate, { id, by }: { id: string; by: string }): NewRoute {
  const quiet = given.quiet_hours ?? null
  return {
    id,
    name: given.name,
    receiverId: given.receiver_id,
    severities: given.severities ?? [],
    technologies: given.technologies ?? [],
    apIds: given.ap_ids ?? [],
    ruleIds: given.rule_ids ?? [],
    emulated: given.emulated ?? 'none',
    groupBy: given.group_by ?? 'rule',
    groupWaitS: given.group_wait_s ?? 0,
    groupIntervalS: given.group_interval_s ?? 0,
    notifyCleared: given.notify_cleared ?? true,
    escalateAfterS: given.escalate_after_s ?? null,
    escalateTo: given.escalate_to ?? null,
    quietHours: quiet && { ...quiet, except: quiet.except ?? [] },
    isEnabled: given.is_enabled ?? true,
    updatedBy: by,
  }
}

/** What is wrong with members that depend on each other. */
export function wrongMembers(route: NewRoute): ValidationItem[] {
  const problems: ValidationItem[] = []
  const wrong = (member: string[], msg: string) =>
    problems.push({ loc: ['body', ...member], msg: `Value error, ${msg}`, type: 'value_error' })
  if (route.escalateAfterS !== null && route.escalateTo === null)
    wrong(['escalate_to'], 'a route with escalate_after_s needs it')
  if (route.escalateAfterS === null && route.escalateTo !== null)
    wrong(['escalate_after_s'], 'a route with escalate_to needs it')
  if (route.quietHours) {
    const { from, to } = route.quietHours
    if (from === to) wrong(['quiet_hours', 'to'], 'it should differ from `from`')
    if (!isTimeZone(route.quietHours.time_zone))
      wrong(
        ['quiet_hours', 'time_zone'],
        'it should be a time zone of the IANA database, such as Europe/London',
      )
  }
  return problems
}
