import { expect, it } from 'vitest'
import { Refused } from '../../errors.ts'
import { periodOf } from './period.rules.ts'

const dayMs = 86_400_000
const nowMs = Date.parse('2026-11-17T12:00:00Z')
const period = (fromMs: number, toMs?: number) =>
  periodOf(new Date(fromMs), toMs === undefined ? undefined : new Date(toMs), 30 * dayMs, nowMs)

it('a period ends now, or when it says so', () => {
  expect(period(nowMs - dayMs)).toEqual({ fromMs: nowMs - dayMs, toMs: nowMs })
  expect(period(nowMs - dayMs, nowMs - 1000)).toEqual({ fromMs: nowMs - dayMs, toMs: nowMs - 1000 })
})

it('a period that ends now is the same for all requests of a second, and has an end after its start', () => {
  const at = (ms: number) => periodOf(new Date(nowMs - dayMs), undefined, 30 * dayMs, nowMs + ms)
  expect(at(999)).toEqual(at(0))
  expect(at(1000)).not.toEqual(at(0))
  const { fromMs, toMs } = periodOf(new Date(nowMs - 1), undefined, 30 * dayMs, nowMs + 999)
  expect(toMs).toBeGreaterThan(fromMs)
})

it('a period does not end in the far future', () => {
  expect(period(nowMs - dayMs, nowMs + 20 * dayMs)).toEqual({
    fromMs: nowMs - dayMs,
    toMs: nowMs + 3_600_000,
  })
})

it.each([
  [nowMs, nowMs - 1],
  [nowMs + dayMs, undefined],
  [nowMs - 31 * dayMs, undefined],
])('a period from %d to %d is refused', (fromMs, toMs) => {
  expect(() => period(fromMs, toMs)).toThrow(Refused)
})
