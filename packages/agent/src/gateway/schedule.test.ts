import { describe, expect, it } from 'vitest'
import { Schedule } from './schedule.ts'

const middle = () => 0.5

describe('the schedule of an access point', () => {
  it('spreads first readings over the given time', () => {
    const delays = [0, 0.25, 0.999].map((at) => new Schedule(10_000, 10_000, 0, () => at).delayMs(0))
    expect(delays).toEqual([0, 2500, 9990])
  })

  it('keeps the interval whatever a reading takes, and skips missed readings', () => {
    const schedule = new Schedule(10_000, 0, 0, middle)
    schedule.succeeded(3000)
    expect(schedule.delayMs(3000)).toBe(7000)
    schedule.succeeded(45_000)
    expect(schedule.delayMs(45_000)).toBe(0)
    // The clock was set back.
    schedule.succeeded(1000)
    expect(schedule.delayMs(1000)).toBe(10_000)
  })

  it('does not keep access points in step that began in step', () => {
    const due = Array.from({ length: 200 }, () => {
      const schedule = new Schedule(10_000, 0, 0)
      for (let n = 0; n < 30; n++) schedule.succeeded(schedule.delayMs(0))
      return schedule.delayMs(0)
    })
    const inOneSecond = Math.max(
      ...Array.from({ length: 400 }, (_, s) => due.filter((ms) => Math.floor(ms / 1000) === s).length),
    )
    expect(inOneSecond).toBeLessThan(100)
  })

  it('doubles the wait with each failure up to five minutes, and forgets it with a success', () => {
    const schedule = new Schedule(10_000, 0, 0, middle)
    const waits = Array.from({ length: 8 }, () => {
      schedule.failed(0)
      return schedule.delayMs(0)
    })
    expect(waits).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000])
    schedule.succeeded(0)
    expect(schedule.delayMs(0)).toBe(10_000)
    schedule.failed(0)
    expect(schedule.delayMs(0)).toBe(10_000)
  })

  it('never waits for less than the interval after a failure', () => {
    const schedule = new Schedule(3_600_000, 0, 0, middle)
    for (let n = 0; n < 5; n++) schedule.failed(0)
    expect(schedule.delayMs(0)).toBe(3_600_000)
  })
})
