import { expect, it, vi } from 'vitest'
import {
  isOngoing,
  parseRange,
  parseRangeSearch,
  periodOf,
  periodText,
  rangeLabel,
  rangeSearch,
  rangeText,
  shifted,
  type TimeRange,
  zoomedOut,
} from './time-range.ts'

const ms = (text: string) => Date.parse(text)
const fixed: TimeRange = { fromMs: ms('2026-11-17T10:00:00Z'), toMs: ms('2026-11-17T10:30:00Z') }

it.each<TimeRange>([{ lastS: 900 }, { lastS: 604_800 }, { lastS: 7200 }, fixed, { fromMs: 1, toMs: 2001 }])(
  'the range %o is read from the address as it was written',
  (range) => {
    expect(parseRange({ ...rangeSearch(range) })).toEqual(range)
  },
)

it('the address has what people can read and write', () => {
  expect(rangeSearch({ lastS: 86_400 })).toEqual({ range: '24h', from: undefined, to: undefined })
  expect(rangeSearch(fixed)).toEqual({
    range: undefined,
    from: '2026-11-17T10:00:00Z',
    to: '2026-11-17T10:30:00Z',
  })
})

it.each([
  { range: 'soon' },
  { range: '0h' },
  { range: 15 },
  { range: '99999d' },
  { from: '2026-11-17T10:00:00Z' },
  { from: '2026-11-17T10:00:00Z', to: '2026-11-17T09:00:00Z' },
  { from: '2026-11-17T10:00:00Z', to: 'now' },
  {},
])('%o is no range', (search) => {
  expect(parseRange(search)).toBeUndefined()
  expect(parseRangeSearch(search)).toEqual({})
})

it('a live range ends now', () => {
  expect(periodOf({ lastS: 60 }, 100_000)).toEqual({ fromMs: 40_000, toMs: 100_000 })
  expect(periodOf(fixed, 5)).toBe(fixed)
})

it('a range has a name and a text', () => {
  vi.stubEnv('TZ', 'UTC')
  expect([rangeLabel({ lastS: 900 }), rangeLabel({ lastS: 7200 })]).toEqual(['Last 15 min', 'Last 2h'])
  expect(rangeText({ lastS: 3600 })).toBe('the last hour')
  expect(rangeText(fixed)).toBe('2026-11-17 10:00 to 10:30')
  expect(periodText({ fromMs: ms('2026-11-17T23:59:30Z'), toMs: ms('2026-11-18T00:00:00Z') })).toBe(
    '2026-11-17 23:59:30 to 2026-11-18 00:00:00',
  )
  vi.unstubAllEnvs()
})

it('a range is zoomed out around its centre, but not beyond now', () => {
  expect(zoomedOut({ fromMs: 1000, toMs: 3000 }, 9000)).toEqual({ fromMs: 0, toMs: 4000 })
  expect(zoomedOut({ fromMs: 5000, toMs: 7000 }, 7000)).toEqual({ fromMs: 3000, toMs: 7000 })
  expect(zoomedOut({ lastS: 900 }, 0)).toEqual({ lastS: 3600 })
  expect(zoomedOut({ lastS: 2_592_000 }, 0)).toEqual({ lastS: 5_184_000 })
})

it('the period before or after has the same length, and does not end after now', () => {
  expect(shifted({ fromMs: 5000, toMs: 7000 }, -1, 9000)).toEqual({ fromMs: 3000, toMs: 5000 })
  expect(shifted({ fromMs: 5000, toMs: 7000 }, 1, 9000)).toEqual({ fromMs: 7000, toMs: 9000 })
  expect(shifted({ fromMs: 5000, toMs: 7000 }, 1, 8000)).toEqual({ fromMs: 6000, toMs: 8000 })
  expect(shifted({ fromMs: 5000, toMs: 7000 }, 1, 6000)).toEqual({ fromMs: 5000, toMs: 7000 })
  expect([6999, 7000].map((now) => isOngoing({ fromMs: 5000, toMs: 7000 }, now))).toEqual([true, false])
})
