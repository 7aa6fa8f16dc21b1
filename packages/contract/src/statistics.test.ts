import { describe, expect, it } from 'vitest'
import { distributionOf, meanOf, median, percentile } from './statistics.ts'

describe('statistics over repeated measurements', () => {
  it('have the 95 % interval of Student for few values', () => {
    // The standard deviation is 1, and the quantile for two degrees of freedom 4.303.
    expect(meanOf([1, 2, 3])).toEqual({ mean: 2, interval: expect.closeTo(4.303 / Math.sqrt(3), 10) })
  })

  it('have the interval of the normal distribution for many values', () => {
    const values = Array.from({ length: 1000 }, (_, n) => n % 2)
    expect(meanOf(values).interval).toBeCloseTo((1.96 * 0.5) / Math.sqrt(1000), 4)
  })

  it('have no interval for one value, and no figures for none', () => {
    expect(meanOf([7])).toEqual({ mean: 7, interval: null })
    expect(distributionOf([])).toEqual({
      mean: Number.NaN,
      interval: null,
      median: Number.NaN,
      p5: Number.NaN,
      p95: Number.NaN,
    })
  })

  it('have medians between two values, and percentiles that are values', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5)
    expect(median([3, 1, 2])).toBe(2)
    const values = Array.from({ length: 20 }, (_, n) => 20 - n)
    expect([percentile(values, 0.05), percentile(values, 0.95)]).toEqual([2, 20])
  })
})
