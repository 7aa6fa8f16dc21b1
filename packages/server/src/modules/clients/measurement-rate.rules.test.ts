import { expect, it } from 'vitest'
import { MeasurementRate } from './measurement-rate.rules.ts'

it('as many measurements are stored as the rate allows, and those of four seconds at once', () => {
  const rate = new MeasurementRate(10, 0)
  const taken = (nowMs: number) => {
    let count = 0
    while (rate.take(nowMs)) count += 1
    return count
  }
  expect([taken(0), taken(0), taken(1000), taken(1050), taken(1100), taken(100_000)]).toEqual([
    40, 0, 10, 0, 1, 40,
  ])
})

it('a clock that is set back does not end the limit', () => {
  const rate = new MeasurementRate(10, 5000)
  for (let n = 0; n < 40; n++) rate.take(5000)
  expect([rate.take(1000), rate.take(1000), rate.take(1100)]).toEqual([false, false, true])
})
