/** The one clock and date format of the console: 24-hour clock, ISO-like dates, in the time zone of the browser. */

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const units = [
  [dayMs, 'd'],
  [hourMs, 'h'],
  [minuteMs, 'min'],
  [secondMs, 's'],
] as const

const padded = (value: number): string => String(value).padStart(2, '0')

/** `2026-11-16` */
function formatDate(ms: number): string {
  const date = new Date(ms)
  return `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`
}

/** `09:27` */
function formatHourMinute(ms: number): string {
  const date = new Date(ms)
  return `${padded(date.getHours())}:${padded(date.getMinutes())}`
}

/** `09:27:04` */
export const formatTime = (ms: number): string =>
  `${formatHourMinute(ms)}:${padded(new Date(ms).getSeconds())}`

/** `09:27:04.3` */
export const formatPreciseTime = (ms: number): string =>
  `${formatTime(ms)}.${Math.floor(new Date(ms).getMilliseconds() / 100)}`

/** `2026-11-16 09:27:04` */
export const formatDateTime = (ms: number): string => `${formatDate(ms)} ${formatTime(ms)}`

/** `09:27:04` today, `2026-11-16 09:27:04` on any other day. */
export const formatRecentTime = (ms: number, nowMs = Date.now()): string =>
  formatDate(ms) === formatDate(nowMs) ? formatTime(ms) : formatDateTime(ms)

/** `09:27` today, `2026-11-16 09:27` on any other day. */
export const formatRecentMinute = (ms: number, nowMs = Date.now()): string =>
  formatDate(ms) === formatDate(nowMs) ? formatHourMinute(ms) : formatMinutes(ms)

/** `2026-11-16 09:27` */
export const formatMinutes = (ms: number): string => `${formatDate(ms)} ${formatHourMinute(ms)}`

export const isSameDay = (ms: number, otherMs: number): boolean => formatDate(ms) === formatDate(otherMs)

/** The label of one tick: `09:27:04`, `09:27` or, at midnight and for steps of days, `11-16`. */
export function formatTick(ms: number, stepMs: number): string {
  // Ticks are computed in floating point.
  const date = new Date(Math.round(ms / secondMs) * secondMs)
  if (stepMs < minuteMs) return formatTime(date.getTime())
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0
  if (isMidnight || stepMs >= dayMs) return formatDate(date.getTime()).slice('2026-'.length)
  return formatHourMinute(date.getTime())
}

/** Time since the start of a period: `0`, `+30 s`, `+1 h 30 min`. */
export const formatElapsed = (ms: number): string => (Math.round(ms) === 0 ? '0' : `+${formatDuration(ms)}`)

/** `UTC+01:00`, which depends on the date where clocks change. */
export function utcOffset(ms: number): string {
  const minutes = -new Date(ms).getTimezoneOffset()
  if (minutes === 0) return 'UTC'
  const size = Math.abs(minutes)
  return `UTC${minutes < 0 ? '-' : '+'}${padded(Math.floor(size / 60))}:${padded(size % 60)}`
}

/** `Europe/London` */
export const timeZoneName = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

const written = /^\s*(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{1,2})(:\d{2}(?::\d{2})?))?\s*$/

/** The reverse of `formatDateTime`; seconds and time of day are optional. Undefined for any other text. */
export function parseDateTime(text: string): Date | undefined {
  const [, day, hour = '00', rest = ':00'] = written.exec(text) ?? []
  if (day === undefined) return undefined
  const date = new Date(`${day}T${hour.padStart(2, '0')}${rest}`)
  // 31 February would be taken as a day in March.
  return formatDate(date.getTime()) === day ? date : undefined
}

/** A duration in its largest unit, rounded down: `3 min`. */
export function formatAge(ms: number): string {
  const [unit, name] = units.find(([each]) => ms >= each) ?? [secondMs, 's']
  return `${Math.max(0, Math.floor(ms / unit))} ${name}`
}

/** A duration in its two largest units: `1 h 30 min`. */
export function formatDuration(ms: number): string {
  let left = Math.max(0, Math.round(ms / secondMs) * secondMs)
  const parts: string[] = []
  for (const [unit, name] of units) {
    const count = Math.floor(left / unit)
    left -= count * unit
    if (count > 0 && parts.length < 2) parts.push(`${count} ${name}`)
    else if (parts.length > 0) break
  }
  return parts.join(' ') || '0 s'
}
