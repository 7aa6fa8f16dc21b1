import { expect, it } from 'vitest'
import { periodOf } from './alarm-period.ts'

const now = Date.parse('2026-11-17T12:00:00Z')
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const marginMs = 15 * minute
const ago = (ms: number) => new Date(now - ms).toISOString()
const period = (raisedMs: number, clearedMs?: number) =>
  periodOf({ raised_at: ago(raisedMs), cleared_at: clearedMs === undefined ? null : ago(clearedMs) }, now)

it('an open alarm is shown up to now, at most 31 days', () => {
  expect(period(hour)).toEqual({
    fromMs: now - hour - marginMs,
    toMs: now,
    isHistory: false,
    isOver: false,
  })
  expect(period(40 * day)).toMatchObject({ fromMs: now - 31 * day + minute, isHistory: false })
})

it('a cleared alarm is final once the time after it is over', () => {
  expect(period(hour, 5 * minute)).toMatchObject({ toMs: now, isHistory: false, isOver: false })
  expect(period(2 * hour, hour)).toMatchObject({ toMs: now - hour + marginMs, isOver: true })
})

it('the stored values are read for short alarms of earlier days only', () => {
  expect(period(3 * day, 3 * day - hour)).toMatchObject({ fromMs: now - 3 * day - marginMs, isHistory: true })
  expect(period(9 * day, 2 * day)).toMatchObject({ fromMs: now - 9 * day - marginMs, isHistory: false })
  expect(period(40 * day, 2 * day)).toMatchObject({ fromMs: now - 31 * day + minute, isHistory: false })
})

it('of a long alarm that no chart reaches, the beginning is shown', () => {
  const fromMs = now - 60 * day - marginMs
  expect(period(60 * day, 40 * day)).toMatchObject({ fromMs, toMs: fromMs + 6 * hour, isHistory: true })
})
