import { describe, expect, it } from 'vitest'
import { area, count, duration, moment, oneOf, someOf, technologies } from './arguments.ts'

describe('An argument', () => {
  it('that is a duration has a unit, or is in seconds', () => {
    expect(['90', '90s', '10m', '2h', '1d', '1w'].map(duration)).toEqual([90, 90, 600, 7200, 86_400, 604_800])
    for (const wrong of ['', '0', '-1m', '1y', 'soon']) expect(() => duration(wrong)).toThrow(/10m/)
  })

  it('that is a point in time is how long ago, or a time, which is UTC by default', () => {
    expect(Math.abs(Date.now() - 7_200_000 - moment('2h').getTime())).toBeLessThan(1000)
    expect(moment('2026-11-15T08:00:00').toISOString()).toBe('2026-11-15T08:00:00.000Z')
    expect(moment('2026-11-15T08:00:00+01:00').toISOString()).toBe('2026-11-15T07:00:00.000Z')
    expect(moment('2026-11-15').toISOString()).toBe('2026-11-15T00:00:00.000Z')
    for (const wrong of ['yesterday', '5', '2026-13-45']) expect(() => moment(wrong)).toThrow(/2h/)
  })

  it('that is an area is four numbers', () => {
    expect(area('-2.62,51.44,-2.55,51.47')).toEqual({ west: -2.62, south: 51.44, east: -2.55, north: 51.47 })
    for (const wrong of ['1,2,3', 'a,b,c,d']) expect(() => area(wrong)).toThrow(/west,south/)
  })

  it('that is a name ignores case, and an unknown name is refused with the list of names', () => {
    expect(oneOf(technologies)('wifi')).toBe('WiFi')
    expect(someOf(technologies)('5g,LIFI')).toEqual(['5G', 'LiFi'])
    expect(() => oneOf(technologies)('6G')).toThrow('5G, WiFi, LiFi, other')
  })

  it('that is a count is above zero', () => {
    expect(count('12')).toBe(12)
    for (const wrong of ['0', '-1', '1.5', 'x']) expect(() => count(wrong)).toThrow(/whole number/)
  })
})
