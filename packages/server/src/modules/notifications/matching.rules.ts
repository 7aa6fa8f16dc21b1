import { fitsOneOf } from '../../globs.ts'
import type { AlarmRow } from '../alarms/index.ts'
import type { RouteRow } from './notifications.types.ts'

type Matched = Pick<AlarmRow, 'severity' | 'technology' | 'apId' | 'ruleId' | 'emulatedBy'>

/** Which alarms a route sends. */
export function matcherOf(route: RouteRow): (alarm: Matched) => boolean {
  const [severities, technologies, ruleIds] = [route.severities, route.technologies, route.ruleIds].map(
    (values) => new Set<string>(values),
  ) as [Set<string>, Set<string>, Set<string>]
  const isOfAgents = route.apIds.length === 0 ? () => true : fitsOneOf(route.apIds)
  const isIn = (values: Set<string>, value: string) => values.size === 0 || values.has(value)
  return (alarm) =>
    route.isEnabled &&
    isIn(severities, alarm.severity) &&
    isIn(technologies, alarm.technology) &&
    isIn(ruleIds, alarm.ruleId) &&
    (route.emulated === 'all' || alarm.emulatedBy === null) &&
    isOfAgents(alarm.apId)
}
