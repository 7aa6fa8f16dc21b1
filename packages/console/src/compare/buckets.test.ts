import { expect, it } from 'vitest'
import { bucketed, meanOf, stepsOf } from './buckets.ts'

it('takes a step of a second, and a longer one for a longer time', () => {
  expect(stepsOf(500, 4500)).toEqual({ stepMs: 1000, at: [1000, 2000, 3000] })
  const day = stepsOf(0, 86_400_000)
  expect(day.at.length).toBeLessThanOrEqual(600)
  expect(day.stepMs).toBe(144_000)
})

it('takes the mean of a step, bridges a short silence, and leaves a gap for a long one', () => {
  const steps = { stepMs: 1000, at: [1000, 2000, 3000, 4000, 5000] }
  const line = bucketed({ at: [200, 1100, 1900, 3500], values: [9, 2, 4, 7] }, steps, 1200)
  expect(line).toEqual([3, 4, 7, 7, null])
})

it('averages over those that are there', () => {
  expect(
    meanOf([
      [1, null, null],
      [3, 5, null],
    ]),
  ).toEqual([2, 5, null])
  expect(meanOf([])).toEqual([])
})
