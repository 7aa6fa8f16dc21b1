import type { Silence } from '@manc/sdk'
import { formatDuration, formatRecentMinute } from '../format/time.ts'
import { weekdayLabels } from './silence-form.ts'

const at = (moment: string): string => formatRecentMinute(Date.parse(moment))

/** `Sat, Sun at 02:00 for 2 h (Europe/Berlin)`, `until 10:30` */
export function whenText(silence: Silence): string {
  const {
    recurrence,
    starts_at: starts,
    ends_at: ends,
    active_until: until,
    next_start_at: next,
    state,
  } = silence
  const parts = []
  if (recurrence) {
    const days = recurrence.days.map((day) => weekdayLabels[day]).join(', ')
    const length = formatDuration(recurrence.duration_min * 60_000)
    parts.push(`${days} at ${recurrence.at} for ${length} (${recurrence.time_zone})`)
  } else parts.push(`${at(starts)} to ${ends === null ? 'no end' : at(ends)}`)
  if (state === 'active' && until !== null && recurrence) parts.push(`active until ${at(until)}`)
  if (state === 'scheduled' && next !== null) parts.push(`next ${at(next)}`)
  if (recurrence && ends !== null) parts.push(`ends ${at(ends)}`)
  return parts.join('; ')
}
