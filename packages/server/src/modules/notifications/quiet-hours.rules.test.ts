import { describe, expect, it } from 'vitest'
import { quietForS } from './quiet-hours.rules.ts'

const quiet = (from: string, to: string, timeZone = 'UTC') => ({ from, to, time_zone: timeZone })

describe('quiet hours', () => {
  it.each([
    ['22:00', '06:00', '2026-01-10T21:59:59Z', 0],
    ['22:00', '06:00', '2026-01-10T22:00:00Z', 8 * 3600],
    ['22:00', '06:00', '2026-01-11T05:59:30Z', 30],
    ['22:00', '06:00', '2026-01-11T06:00:00Z', 0],
    ['09:00', '17:00', '2026-01-11T08:59:00Z', 0],
    ['09:00', '17:00', '2026-01-11T16:00:00Z', 3600],
    ['00:00', '12:00', '2026-01-11T00:00:00Z', 12 * 3600],
  ])('from %s to %s at %s last for another %i s', (from, to, at, expected) => {
    expect(quietForS(quiet(from, to), new Date(at))).toBe(expected)
  })

  it('follow the clock of their time zone, in summer too', () => {
    const ofLondon = quiet('22:00', '06:00', 'Europe/London')
    expect(quietForS(ofLondon, new Date('2026-07-01T21:00:00Z'))).toBe(8 * 3600)
    expect(quietForS(ofLondon, new Date('2026-01-10T21:00:00Z'))).toBe(0)
  })
})
