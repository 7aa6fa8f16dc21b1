import type { QuietHours } from '@manc/contract'

const minutesPerDay = 1440

/** Seconds until the quiet hours end, by the clock of their time zone; 0 if they are not now. */
export function quietForS({ from, to, time_zone: timeZone }: QuietHours, now: Date): number {
  const at = minuteOf(now.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }))
  const [start, end] = [minuteOf(from), minuteOf(to)]
  const isNow = start < end ? at >= start && at < end : at >= start || at < end
  if (!isNow) return 0
  const minutes = (end - at + minutesPerDay) % minutesPerDay
  return minutes * 60 - now.getUTCSeconds()
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return (hours % 24) * 60 + minutes
}
