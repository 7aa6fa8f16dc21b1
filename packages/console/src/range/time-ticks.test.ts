import { expect, it } from 'vitest'
import { timeTicks } from './time-ticks.ts'

const ms = (text: string) => Date.parse(text)
const hourMs = 3_600_000

it('ticks are at round times within the period', () => {
  const { stepMs, times } = timeTicks(
    { fromMs: ms('2026-11-16T09:03:20Z'), toMs: ms('2026-11-16T10:03:20Z') },
    6,
  )
  expect(stepMs).toBe(600_000)
  expect(times.map((each) => new Date(each).getMinutes())).toEqual([10, 20, 30, 40, 50, 0])
})

it('ticks of days are at midnight of the time zone', () => {
  const { stepMs, times } = timeTicks(
    { fromMs: ms('2026-11-10T12:00:00Z'), toMs: ms('2026-11-16T12:00:00Z') },
    7,
  )
  expect(stepMs).toBe(24 * hourMs)
  expect(new Set(times.map((each) => new Date(each).getHours()))).toEqual(new Set([0]))
})

it('periods of any length have few ticks', () => {
  const toMs = ms('2026-11-16T10:00:00Z')
  for (const lengthMs of [1000, 61_000, 7 * hourMs, 30 * 24 * hourMs, 1000 * 24 * hourMs]) {
    const { times } = timeTicks({ fromMs: toMs - lengthMs, toMs }, 6)
    expect(times.length).toBeGreaterThan(0)
    expect(times.length).toBeLessThanOrEqual(7)
  }
})
