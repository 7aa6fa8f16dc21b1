import type { NotificationRoute, NotificationRouteCreate, Technology } from '@manc/sdk'
import type { Severity } from '../alarms/alarms-search.ts'
import { timeZoneName } from '../format/time.ts'

export const groupLabels = {
  rule: 'Rule',
  technology: 'Technology',
  severity: 'Severity',
  none: 'All in one message',
} as const

/** Members of a route as the fields of the form have them. */
export interface RouteForm {
  name: string
  receiver: string
  severities: Severity[]
  technologies: Technology[]
  ap_ids: string[]
  rule_ids: string[]
  emulated: 'none' | 'all'
  groupBy: keyof typeof groupLabels
  waitS: number | string
  intervalS: number | string
  isClearedNotified: boolean
  hasEscalation: boolean
  escalateAfterS: number | string
  escalateTo: string
  hasQuietHours: boolean
  quietFrom: string
  quietTo: string
  timeZone: string
  quietExcept: Severity[]
  isEnabled: boolean
}

export type RouteErrors = Partial<Record<keyof RouteForm, string>>

export function formOf(route?: NotificationRoute): RouteForm {
  return {
    name: route?.name ?? '',
    receiver: route?.receiver_id ?? '',
    severities: route?.severities ?? ['critical', 'warning'],
    technologies: route?.technologies ?? [],
    ap_ids: route?.ap_ids ?? [],
    rule_ids: route?.rule_ids ?? [],
    emulated: route?.emulated ?? 'none',
    groupBy: route?.group_by ?? 'rule',
    waitS: route?.group_wait_s ?? 10,
    intervalS: route?.group_interval_s ?? 300,
    isClearedNotified: route?.notify_cleared ?? true,
    hasEscalation: (route?.escalate_after_s ?? null) !== null,
    escalateAfterS: route?.escalate_after_s ?? 1800,
    escalateTo: route?.escalate_to ?? '',
    hasQuietHours: (route?.quiet_hours ?? null) !== null,
    quietFrom: route?.quiet_hours?.from ?? '22:00',
    quietTo: route?.quiet_hours?.to ?? '06:00',
    timeZone: route?.quiet_hours?.time_zone ?? timeZoneName(),
    quietExcept: route?.quiet_hours?.except ?? ['critical'],
    isEnabled: route?.is_enabled ?? true,
  }
}

const isTimeOfDay = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)

/** What can be said without the controller. */
export function problemsOf(form: RouteForm): RouteErrors {
  return {
    ...(form.name.trim() === '' && { name: 'Enter a name.' }),
    ...(form.receiver === '' && { receiver: 'Select a receiver.' }),
    ...(form.hasEscalation && form.escalateTo === '' && { escalateTo: 'Select a receiver.' }),
    ...(form.hasEscalation && !(Number(form.escalateAfterS) >= 1) && { escalateAfterS: 'Enter a duration.' }),
    ...(form.hasQuietHours && !isTimeOfDay(form.quietFrom) && { quietFrom: 'Enter hh:mm.' }),
    ...(form.hasQuietHours && !isTimeOfDay(form.quietTo) && { quietTo: 'Enter hh:mm.' }),
  }
}

export const bodyOf = (form: RouteForm): NotificationRouteCreate => ({
  name: form.name.trim(),
  receiver_id: form.receiver,
  severities: form.severities,
  technologies: form.technologies,
  ap_ids: form.ap_ids,
  rule_ids: form.rule_ids,
  emulated: form.emulated,
  group_by: form.groupBy,
  group_wait_s: Number(form.waitS),
  group_interval_s: Number(form.intervalS),
  notify_cleared: form.isClearedNotified,
  escalate_after_s: form.hasEscalation ? Number(form.escalateAfterS) : null,
  escalate_to: form.hasEscalation ? form.escalateTo : null,
  quiet_hours: form.hasQuietHours
    ? {
        from: form.quietFrom,
        to: form.quietTo,
        time_zone: form.timeZone.trim(),
        except: form.quietExcept,
      }
    : null,
  is_enabled: form.isEnabled,
})

/** Members of the body and their fields. */
export const routeFields: Record<string, keyof RouteForm> = {
  name: 'name',
  receiver_id: 'receiver',
  severities: 'severities',
  technologies: 'technologies',
  ap_ids: 'ap_ids',
  rule_ids: 'rule_ids',
  group_by: 'groupBy',
  group_wait_s: 'waitS',
  group_interval_s: 'intervalS',
  escalate_after_s: 'escalateAfterS',
  escalate_to: 'escalateTo',
  'quiet_hours.from': 'quietFrom',
  'quiet_hours.to': 'quietTo',
  'quiet_hours.time_zone': 'timeZone',
  'quiet_hours.except': 'quietExcept',
}
