import type { ExperimentFigureSummary, ExperimentResult } from '@manc/sdk'
import { expect, it } from 'vitest'
import { shownFigures } from './experiment-texts.ts'
import { intervalRows, predictedVerdictOf, verdictOf } from './interval-plot.ts'

const p5 = shownFigures.find(({ figure }) => figure === 'p5_mbps')
if (!p5) throw new Error('the figure is missing')

const resultOf = (policy: string, mean: number | null, interval: number | null) =>
  ({ policy, figures: { p5_mbps: { mean, interval } } }) as ExperimentResult

it('means and intervals of all policies have one scale from 0', () => {
  expect(intervalRows([resultOf('none', 2, 1), resultOf('ours', 3, 1)], p5)).toEqual([
    { policy: 'none', mean: 2, low: 1, high: 3, at: 50, from: 25, to: 75 },
    { policy: 'ours', mean: 3, low: 2, high: 4, at: 75, from: 50, to: 100 },
  ])
})

it('a policy without a result is left out, and one seed has no interval', () => {
  expect(intervalRows([resultOf('none', null, null), resultOf('ours', 4, null)], p5)).toEqual([
    { policy: 'ours', mean: 4, low: 4, high: 4, at: 100, from: 100, to: 100 },
  ])
})

it('a difference is better or worse where its interval does not contain 0', () => {
  const verdict = (better: 'more' | 'less' | undefined, difference: number | null, interval: number | null) =>
    verdictOf({ ...p5, better }, { difference, difference_interval: interval } as ExperimentFigureSummary)
  expect(verdict('more', 2, 1)).toBe('better')
  expect(verdict('less', 2, 1)).toBe('worse')
  expect(verdict('less', -2, 1)).toBe('better')
  expect(verdict('more', -0.5, 1)).toBe('no clear difference')
  expect(verdict('more', 0, 0)).toBe('no clear difference')
  expect(verdict(undefined, 2, 1)).toBeUndefined()
  expect(verdict('more', null, null)).toBeUndefined()
  // Of one seed there is no interval.
  expect(verdict('more', 2, null)).toBeUndefined()
})

it('a predicted difference below 5 % is small, however clear it is', () => {
  const verdict = (difference: number, without: number | null) =>
    predictedVerdictOf(p5, { difference, difference_interval: 0.01 } as ExperimentFigureSummary, without)
  expect(verdict(0.4, 10)).toBe('less than 5 %')
  expect(verdict(-0.4, 10)).toBe('less than 5 %')
  expect(verdict(0.6, 10)).toBe('better')
  expect(verdict(-0.6, 10)).toBe('worse')
  expect(verdict(0.4, null)).toBe('better')
})
