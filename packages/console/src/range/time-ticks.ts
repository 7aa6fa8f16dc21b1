import type { Period } from './time-range.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const stepsMs = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 5, 10, 30, 60, 180, 360].map((days) => days * dayMs),
]

/** Round times of a period in the time zone of the browser, at most `max` of them and one more. */
export function timeTicks({ fromMs, toMs }: Period, max: number): { stepMs: number; times: number[] } {
  const stepMs = stepsMs.find((step) => (toMs - fromMs) / step <= max) ?? 360 * dayMs
  const zoneMs = -new Date(toMs).getTimezoneOffset() * minuteMs
  const firstMs = Math.ceil((fromMs + zoneMs) / stepMs) * stepMs - zoneMs
  const count = Math.max(0, Math.floor((toMs - firstMs) / stepMs) + 1)
  return { stepMs, times: Array.from({ length: count }, (_, n) => firstMs + n * stepMs) }
}
