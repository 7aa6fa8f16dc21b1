import { describe, expect, it } from 'vitest'
import { parseWindow } from './window.ts'

describe('a window', () => {
  it.each([
    ['5', 300],
    ['1.5', 90],
    [' +10 ', 600],
    ['30s', 30],
    ['1H', 3600],
    ['5M', 300],
    ['1.5h', 5400],
    ['0.5H', 1800],
    ['90min', 5400],
    ['90 mins', 5400],
    ['10 seconds', 10],
    ['45 Sec', 45],
    ['2 hours', 7200],
    ['3hrs', 10_800],
    ['1 day', 86_400],
    ['2Days', 172_800],
    ['1wk', 604_800],
    ['4 weeks', 2_419_200],
    ['31d', 2_678_400],
    [44_640, 2_678_400],
  ])('of %j is %d seconds', (text, seconds) => {
    expect(parseWindow(text)).toEqual({ value: seconds })
  })

  it.each(['', '0', '0.5s', '31.1d', '5months', '5moments', '1h30m', '1,5h', 'h', '٥', '1e2', 'PT5M'])(
    'cannot be %j',
    (text) => {
      expect(parseWindow(text)).toMatchObject({ type: 'value_error' })
    },
  )
})
