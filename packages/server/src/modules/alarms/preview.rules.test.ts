import { expect, it } from 'vitest'
import { countAlarms } from './preview.rules.ts'

const minutes = (...all: number[]) => all.map((each) => each * 60_000)
const of = (times: number[], forS: number) => countAlarms(times, { stepMs: 60_000, forMs: forS * 1000 })

it('times without a gap are one alarm, if they last for its duration', () => {
  expect(of([], 0)).toEqual({ alarms: 0, minutes: 0 })
  expect(of(minutes(5), 60)).toEqual({ alarms: 1, minutes: 1 })
  expect(of(minutes(1, 2, 3, 10, 20, 21), 120)).toEqual({ alarms: 2, minutes: 5 })
  expect(of(minutes(1, 2, 3, 10, 20, 21), 180)).toEqual({ alarms: 1, minutes: 3 })
  expect(of(minutes(1, 2), 121)).toEqual({ alarms: 0, minutes: 0 })
})
