import { expect, it } from 'vitest'
import { bucketed, holdOf, stepsOf } from './buckets.ts'

it('the step is one second, and longer for a long window', () => {
  expect(stepsOf(500, 4500)).toEqual({ stepMs: 1000, at: [1000, 2000, 3000] })
  const day = stepsOf(0, 86_400_000)
  expect(day.at.length).toBeLessThanOrEqual(600)
  expect(day.stepMs).toBe(144_000)
})

it('a bucket is the mean of its samples; short gaps are bridged, long ones are kept', () => {
  const steps = { stepMs: 1000, at: [1000, 2000, 3000, 4000, 5000] }
  const line = bucketed({ at: [200, 1100, 1900, 3500], values: [9, 2, 4, 7] }, steps, 1200)
  expect(line).toEqual([3, 4, 7, 7, null])
})

it('values are held for some of their usual intervals', () => {
  expect(holdOf({ at: [0, 1000, 2000], values: [1, 1, 1] })).toBe(12_000)
  expect(holdOf({ at: [0, 60_000, 120_000, 900_000], values: [1, 1, 1, 1] })).toBe(150_000)
  expect(holdOf({ at: [], values: [] })).toBe(12_000)
})
