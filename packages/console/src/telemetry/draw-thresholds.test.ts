import { expect, it } from 'vitest'
import { levelRanges } from './draw-thresholds.ts'

it('a level reaches to the next one, and the last one to the edge', () => {
  expect(
    levelRanges([
      { value: 80, level: 'degraded', side: 'above' },
      { value: 95, level: 'bad', side: 'above' },
    ]),
  ).toEqual([
    { low: 80, high: 95, level: 'degraded' },
    { low: 95, high: Infinity, level: 'bad' },
  ])
  expect(
    levelRanges([
      { value: 0.3, level: 'degraded', side: 'below' },
      { value: 0.1, level: 'bad', side: 'below' },
    ]),
  ).toEqual([
    { low: 0.1, high: 0.3, level: 'degraded' },
    { low: -Infinity, high: 0.1, level: 'bad' },
  ])
})

it('a threshold without a side is only a line', () => {
  expect(levelRanges([{ value: 80, level: 'bad' }])).toEqual([])
})
