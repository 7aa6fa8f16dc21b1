import { expect, it } from 'vitest'
import { affordable, maxSamples, maxSamplesOfUsers, spreadOf, stepFor } from './summary.rules.ts'

const agents = (count: number, intervalS: number) => Array.from({ length: count }, () => ({ intervalS }))
const dayS = 86_400

it.each([
  [3600, 1, 15],
  [3600, 60, 60],
  [dayS, 10, 600],
  [30 * dayS, 10, 10_800],
  [10, 60, 10],
])('a period of %d s with a sample every %d s has steps of %d s', (periodS, intervalS, stepS) => {
  expect(stepFor(periodS, agents(50, intervalS))).toBe(stepS)
})

it('two thousand agents are all read for a week', () => {
  expect(affordable(agents(2000, 10), 7 * dayS, maxSamples)).toHaveLength(2000)
  expect(affordable(agents(2000, 10), dayS, maxSamplesOfUsers)).toHaveLength(2000)
})

it('more samples than the store can read are those of fewer agents', () => {
  expect(affordable(agents(10_000, 1), dayS, maxSamples)).toHaveLength(2893)
  expect(affordable(agents(10_000, 1), 365 * dayS, maxSamples)).toBeUndefined()
})

it('the spread is interpolated between values', () => {
  expect(spreadOf([4, 1, 3, 2, 0])).toEqual({
    agents: 5,
    min: 0,
    p10: 0.4,
    p50: 2,
    mean: 2,
    p90: 3.6,
    p95: 3.8,
    max: 4,
  })
  expect(spreadOf([7])).toMatchObject({ min: 7, p10: 7, p95: 7, max: 7 })
  expect(spreadOf([])).toBeUndefined()
})
