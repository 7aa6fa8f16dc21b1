import { expect, it } from 'vitest'
import { endOfLastDay } from './last-day.ts'

const windows = { lastDay: '2026-11-28', timeZone: 'UTC', at: '02:00', durationS: 7200 }
const endOf = (more: Partial<typeof windows>) => endOfLastDay({ ...windows, ...more })?.toISOString()

it('the last day is included, in the time zone of the window', () => {
  expect(endOf({})).toBe('2026-11-29T00:00:00.000Z')
  expect(endOf({ timeZone: 'Europe/Berlin' })).toBe('2026-11-28T23:00:00.000Z')
  expect(endOf({ timeZone: 'Asia/Kolkata' })).toBe('2026-11-28T18:30:00.000Z')
  expect(endOf({ timeZone: 'America/New_York' })).toBe('2026-11-29T05:00:00.000Z')
})

it('the last day may be one on which the clock changes', () => {
  expect(endOf({ lastDay: '2026-10-25', timeZone: 'Europe/Berlin' })).toBe('2026-10-25T23:00:00.000Z')
  expect(endOf({ lastDay: '2026-03-29', timeZone: 'Europe/Berlin' })).toBe('2026-03-29T22:00:00.000Z')
})

it('a window that ends on the next day is complete', () => {
  expect(endOf({ at: '23:00' })).toBe('2026-11-29T01:00:00.000Z')
})

it('a text that is no day is refused', () => {
  expect(['', 'next year', '2026-02-31', '2026-11-28 10:00'].map((lastDay) => endOf({ lastDay }))).toEqual(
    Array.from({ length: 4 }),
  )
})
