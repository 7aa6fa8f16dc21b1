import { expect, it } from 'vitest'
import { rangeOf, trendPath } from './trend-line.ts'

const size = { width: 30, height: 10 }

it('a line goes from the oldest to the newest value, larger values higher', () => {
  expect(trendPath([0, 5, 10, 5], { ...size, range: [0, 10] })).toBe('M0 10h0L10 5L20 0L30 5')
})

it('missing values are gaps, and a single value is a dot', () => {
  expect(trendPath([null, 10, null, 0], { ...size, range: [0, 10] })).toBe('M10 0h0M30 10h0')
  expect(trendPath([null, null], { ...size, range: [0, 1] })).toBe('')
})

it('values that are all the same are a line', () => {
  expect(trendPath([4, 4], { ...size, range: [4, 4] })).toBe('M0 10h0L30 10')
})

it('the range ignores missing values', () => {
  expect(rangeOf([null, 3, 9, null, 5])).toEqual({ min: 3, max: 9, first: 3, last: 5 })
  expect(rangeOf([null])).toBeUndefined()
})
