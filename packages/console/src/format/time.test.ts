import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  formatAge,
  formatDateTime,
  formatDuration,
  formatElapsed,
  formatPreciseTime,
  formatRecentMinute,
  formatRecentTime,
  formatTick,
  formatTime,
  parseDateTime,
  timeZoneName,
  utcOffset,
} from './time.ts'

const ms = (text: string) => Date.parse(text)
const hour = 3_600_000

/** A zone with daylight saving time. */
const inLondon = () => vi.stubEnv('TZ', 'Europe/London')

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('an absolute time', () => {
  it('has an ISO-like date and a 24-hour clock', () => {
    inLondon()
    expect(formatDateTime(ms('2026-11-16T21:07:04.350Z'))).toBe('2026-11-16 21:07:04')
    expect(formatTime(ms('2026-11-16T00:00:00Z'))).toBe('00:00:00')
    expect(formatPreciseTime(ms('2026-11-16T21:07:04.350Z'))).toBe('21:07:04.3')
  })

  it('is in the time zone of the browser, in summer and in winter', () => {
    inLondon()
    expect(formatDateTime(ms('2026-07-01T12:00:00Z'))).toBe('2026-07-01 13:00:00')
    expect([utcOffset(ms('2026-07-01T12:00:00Z')), utcOffset(ms('2026-12-01T12:00:00Z'))]).toEqual([
      'UTC+01:00',
      'UTC',
    ])
    expect(timeZoneName()).toBe('Europe/London')
  })

  it.each([
    ['America/St_Johns', 'UTC-03:30'],
    ['Asia/Kathmandu', 'UTC+05:45'],
    ['UTC', 'UTC'],
  ])('in %s has the offset %s', (zone, offset) => {
    vi.stubEnv('TZ', zone)
    expect(utcOffset(ms('2026-12-01T12:00:00Z'))).toBe(offset)
  })

  it('has its date only if it is not today', () => {
    inLondon()
    const now = ms('2026-11-16T21:07:04Z')
    expect(formatRecentTime(now - hour, now)).toBe('20:07:04')
    expect(formatRecentTime(now - 22 * hour, now)).toBe('2026-11-15 23:07:04')
    expect(formatRecentMinute(now + hour, now)).toBe('22:07')
    expect(formatRecentMinute(now + 4 * hour, now)).toBe('2026-11-17 01:07')
  })
})

describe('a tick of a time axis', () => {
  it.each([
    [1000, '2026-11-16T09:27:04Z', '09:27:04'],
    [60_000, '2026-11-16T09:27:00Z', '09:27'],
    [6 * hour, '2026-11-16T00:00:00Z', '11-16'],
    [24 * hour, '2026-03-01T12:00:00Z', '03-01'],
  ])('with a step of %d ms at %s reads %s', (stepMs, at, text) => {
    inLondon()
    expect(formatTick(ms(at), stepMs)).toBe(text)
  })

  it('is not one second short if it was computed in floating point', () => {
    inLondon()
    expect(formatTick(ms('2026-11-16T09:27:04Z') - 0.001, 1000)).toBe('09:27:04')
  })
})

describe('a typed time', () => {
  it.each([
    ['2026-11-16 09:27:04', '2026-11-16T09:27:04.000Z'],
    ['2026-11-16T09:27', '2026-11-16T09:27:00.000Z'],
    [' 2026-11-16 9:27 ', '2026-11-16T09:27:00.000Z'],
    ['2026-11-16', '2026-11-16T00:00:00.000Z'],
    ['2026-07-01 13:00', '2026-07-01T12:00:00.000Z'],
  ])('%s is read in the time zone of the browser', (text, expected) => {
    inLondon()
    expect(parseDateTime(text)?.toISOString()).toBe(expected)
  })

  it.each([
    '',
    'yesterday',
    '11/16/2026',
    '2026-02-31',
    '2026-13-01',
    '2026-11-16 25:00',
    '2026-11-16 09:61',
  ])('%j is rejected', (text) => {
    expect(parseDateTime(text)).toBeUndefined()
  })

  it('is read back as it was formatted', () => {
    inLondon()
    const at = ms('2026-11-16T21:07:04Z')
    expect(parseDateTime(formatDateTime(at))?.getTime()).toBe(at)
  })
})

it.each([
  [0, '0 s'],
  [59_900, '59 s'],
  [3 * 60_000 + 30_000, '3 min'],
  [26 * hour, '1 d'],
  [-5000, '0 s'],
])('an age of %d ms is %s', (age, text) => {
  expect(formatAge(age)).toBe(text)
})

it.each([
  [0, '0 s'],
  [59_600, '1 min'],
  [90_000, '1 min 30 s'],
  [5_400_000, '1 h 30 min'],
  [7_201_000, '2 h'],
  [90_000_000, '1 d 1 h'],
  [-5000, '0 s'],
])('a duration of %d ms is %s', (duration, text) => {
  expect(formatDuration(duration)).toBe(text)
})

it.each([
  [0, '0'],
  [30_000, '+30 s'],
  [5_400_000, '+1 h 30 min'],
])('%d ms after the start is %s', (elapsed, text) => {
  expect(formatElapsed(elapsed)).toBe(text)
})
