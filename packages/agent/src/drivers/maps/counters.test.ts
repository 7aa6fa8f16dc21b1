import { describe, expect, it } from 'vitest'
import { Counters, type CounterValue } from './counters.ts'

/** The increase from one value to the next, 10 s later. */
function increase(then: CounterValue, now: CounterValue): number | undefined {
  const counters = new Counters()
  expect(counters.increase('x', then, 0)).toBeUndefined()
  counters.next()
  return counters.increase('x', now, 10_000)?.by
}

describe('the increase of a counter', () => {
  it('is the difference to the reading before', () => {
    expect(increase({ value: 100 }, { value: 350 })).toBe(250)
    expect(increase({ value: 100 }, { value: 100 })).toBe(0)
    // Beyond 2^53, where numbers have no units any more.
    const large = 2n ** 60n
    expect(increase({ value: large, bits: 64 }, { value: large + 7n, bits: 64 })).toBe(7)
  })

  it('counts from zero after a restart of a counter that does not wrap', () => {
    expect(increase({ value: 5000 }, { value: 30 })).toBe(30)
  })

  it('continues over the wrap of 32 and 64 bits', () => {
    expect(increase({ value: 2 ** 32 - 10, bits: 32 }, { value: 90, bits: 32 })).toBe(100)
    expect(increase({ value: 2n ** 64n - 10n, bits: 64 }, { value: 90n, bits: 64 })).toBe(100)
  })

  it('is unknown of a smaller value after one beyond the range', () => {
    expect(increase({ value: 5e9, bits: 32 }, { value: 1e9, bits: 32 })).toBeUndefined()
    expect(increase({ value: 9e9, bits: 32 }, { value: 7, bits: 32 })).toBeUndefined()
    expect(increase({ value: 5e9, bits: 32 }, { value: 6e9, bits: 32 })).toBe(1e9)
  })

  it('is unknown where a wrap would be more than half of the range, as after a restart', () => {
    expect(increase({ value: 5000, bits: 32 }, { value: 30, bits: 32 })).toBeUndefined()
    expect(increase({ value: 5000n, bits: 64 }, { value: 30n, bits: 64 })).toBeUndefined()
  })

  it('is unknown after a reading without the counter, and after a reset of the device', () => {
    const counters = new Counters()
    counters.increase('x', { value: 1 }, 0)
    counters.next()
    counters.next()
    expect(counters.increase('x', { value: 2 }, 1000)).toBeUndefined()
    counters.next()
    counters.reset()
    expect(counters.increase('x', { value: 3 }, 2000)).toBeUndefined()
  })

  it('is unknown when no time has passed', () => {
    const counters = new Counters()
    counters.increase('x', { value: 1 }, 5)
    counters.next()
    expect(counters.increase('x', { value: 2 }, 5)).toBeUndefined()
  })
})
