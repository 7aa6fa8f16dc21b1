import type { SilenceCreate, Technology } from '@manc/sdk'
import { parseDateTime, timeZoneName } from '../format/time.ts'
import { endOfLastDay } from './last-day.ts'

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type Weekday = (typeof weekdays)[number]
export const weekdayLabels: Record<Weekday, string> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
}

/** How long a silence lasts from now on; `custom` has an end of its own. */
export type Length = '1h' | '4h' | 'tomorrow' | 'custom'

export interface SilenceForm {
  comment: string
  rule_ids: string[]
  technologies: Technology[]
  ap_ids: string[]
  kind: 'once' | 'weekly'
  length: Length
  /** Texts of time fields; an empty one has its default. The end of weekly windows is their last day. */
  startsAt: string
  endsAt: string
  days: Weekday[]
  at: string
  durationS: number | string
  timeZone: string
}

export type SilenceErrors = Partial<
  Record<
    | 'comment'
    | 'rule_ids'
    | 'technologies'
    | 'ap_ids'
    | 'startsAt'
    | 'endsAt'
    | 'days'
    | 'at'
    | 'durationS'
    | 'timeZone',
    string
  >
>

export const newSilence = (more: Partial<SilenceForm> = {}): SilenceForm => ({
  comment: '',
  rule_ids: [],
  technologies: [],
  ap_ids: [],
  kind: 'once',
  length: '1h',
  startsAt: '',
  endsAt: '',
  days: [],
  at: '02:00',
  durationS: 7200,
  timeZone: timeZoneName(),
  ...more,
})

const hourMs = 3_600_000

/** The end of a silence that starts now. Tomorrow is when the working day begins. */
export function endOf(length: Exclude<Length, 'custom'>, nowMs: number): Date {
  if (length === '1h') return new Date(nowMs + hourMs)
  if (length === '4h') return new Date(nowMs + 4 * hourMs)
  const tomorrow = new Date(nowMs)
  tomorrow.setDate(tomorrow.getDate() + 1)
  tomorrow.setHours(8, 0, 0, 0)
  return tomorrow
}

/** The end of weekly windows; undefined if there is none. */
const weeklyEnd = ({ endsAt, timeZone, at, durationS }: SilenceForm): Date | undefined =>
  endOfLastDay({ lastDay: endsAt, timeZone: timeZone.trim(), at, durationS: Number(durationS) })

const wrongTime = 'Enter YYYY-MM-DD hh:mm:ss.'
const wrongDay = 'Enter YYYY-MM-DD.'
/** Must not be taken as empty, which means now or no end. */
const isWrong = (text: string): boolean => text.trim() !== '' && !parseDateTime(text)

/** What can be said without the controller. */
export function problemsOf(form: SilenceForm, nowMs: number): SilenceErrors {
  const isOnce = form.kind === 'once'
  const start = parseDateTime(form.startsAt)
  const end = isOnce ? parseDateTime(form.endsAt) : weeklyEnd(form)
  const from = start?.getTime() ?? nowMs
  const isCustom = isOnce && form.length === 'custom'
  const hasEnd = isCustom || !isOnce
  return {
    ...(form.comment.trim() === '' && { comment: 'Say why, for other operators.' }),
    ...(isCustom && isWrong(form.startsAt) && { startsAt: wrongTime }),
    ...(isCustom && !end && { endsAt: 'Enter the end.' }),
    ...(hasEnd && form.endsAt.trim() !== '' && !end && { endsAt: isOnce ? wrongTime : wrongDay }),
    ...(hasEnd && end && end.getTime() <= from && { endsAt: 'The end must be after the start.' }),
    ...(!isOnce && form.days.length === 0 && { days: 'Select at least one day.' }),
    ...(!isOnce && !/^([01]\d|2[0-3]):[0-5]\d$/.test(form.at) && { at: 'Enter hh:mm.' }),
    ...(!isOnce && !(Number(form.durationS) >= 60) && { durationS: 'Enter at least one minute.' }),
  }
}

export function bodyOf(form: SilenceForm, nowMs: number): SilenceCreate {
  const { rule_ids, technologies, ap_ids } = form
  const scope = { comment: form.comment.trim(), rule_ids, technologies, ap_ids }
  const isCustom = form.kind === 'weekly' || form.length === 'custom'
  const starts = isCustom ? parseDateTime(form.startsAt) : undefined
  if (form.kind === 'once')
    return {
      ...scope,
      ...(starts && { starts_at: starts }),
      ends_at: form.length === 'custom' ? (parseDateTime(form.endsAt) ?? null) : endOf(form.length, nowMs),
    }
  return {
    ...scope,
    ...(starts && { starts_at: starts }),
    ends_at: weeklyEnd(form) ?? null,
    recurrence: {
      days: form.days,
      at: form.at,
      duration_min: Math.round(Number(form.durationS) / 60),
      time_zone: form.timeZone.trim(),
    },
  }
}

/** Whether it is for every alarm of the network. */
export const isForAll = ({ rule_ids: rules, technologies, ap_ids: apIds }: SilenceForm): boolean =>
  rules.length + technologies.length + apIds.length === 0

/** Members of the body and their fields. */
export const silenceFields: Record<string, keyof SilenceErrors> = {
  comment: 'comment',
  rule_ids: 'rule_ids',
  technologies: 'technologies',
  ap_ids: 'ap_ids',
  starts_at: 'startsAt',
  ends_at: 'endsAt',
  'recurrence.days': 'days',
  'recurrence.at': 'at',
  'recurrence.duration_min': 'durationS',
  'recurrence.time_zone': 'timeZone',
}
