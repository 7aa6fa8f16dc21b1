import { describe, expect, it } from 'vitest'
import {
  chanceOfSight,
  efficiencyOf,
  fiveGWatts,
  frequencyOfArfcn,
  lossIntoBuildingDb,
  lossWithoutSightDb,
  lossWithSightDb,
  rsrqDb,
} from './five-g.ts'
import { gainOf, illuminanceOf, lifiRateMbps, lifiWatts, noiseOf } from './lifi.ts'
import { lossOf, roundsOf } from './queue.ts'
import { daylightAt, rhythmAt } from './rhythm.ts'
import {
  bandOf,
  collisionsOf,
  indoorLossDb,
  lossAtOneMetreDb,
  mcsOf,
  phyRateMbps,
  wifiWatts,
} from './wifi.ts'

/** From `from` to `to` in equal ratios. */
const sweep = (from: number, to: number, count = 200) =>
  Array.from({ length: count }, (_, n) => from * (to / from) ** (n / (count - 1)))

/** Each is more than the one before; or, without `strictly`, no less. */
function expectToGrow(values: readonly number[], strictly = true): void {
  const steps = values.slice(1).map((value, n) => value - (values[n] as number))
  expect(values.length).toBeGreaterThan(1)
  expect(steps.filter((step) => !(strictly ? step > 0 : step >= 0))).toEqual([])
}

describe('5G', () => {
  it('loses more on longer ways and at higher frequencies', () => {
    for (const loss of [lossWithSightDb, lossWithoutSightDb]) {
      for (const ghz of [0.7, 3.5, 28]) expectToGrow(sweep(10, 5000).map((metres) => loss(metres, ghz)))
      for (const metres of [10, 100, 1000]) {
        // Beyond the breakpoint, which moves with the frequency, two-ray loss does not depend on it.
        const below = sweep(3, 60).filter((ghz) => metres < 60 * ghz)
        expectToGrow(below.map((ghz) => loss(metres, ghz)))
      }
    }
  })

  it('never loses less without sight', () => {
    for (const metres of sweep(10, 5000))
      expect(lossWithoutSightDb(metres, 3.5)).toBeGreaterThanOrEqual(lossWithSightDb(metres, 3.5))
  })

  it('has the figures of TR 38.901', () => {
    // 100 m at 3.5 GHz, by hand.
    const direct = Math.hypot(100, 8.5)
    expect(lossWithSightDb(100, 3.5)).toBeCloseTo(32.4 + 21 * Math.log10(direct) + 20 * Math.log10(3.5), 6)
    expect(lossWithoutSightDb(100, 3.5)).toBeCloseTo(
      22.4 + 35.3 * Math.log10(direct) + 21.3 * Math.log10(3.5),
      6,
    )
    expect(lossIntoBuildingDb(3.5)).toBeCloseTo(12.7, 1)
    expect(chanceOfSight(18)).toBe(1)
    expect(chanceOfSight(100)).toBeCloseTo(0.231, 3)
    expectToGrow(sweep(18, 2000).map((metres) => -chanceOfSight(metres)))
  })

  it('has no jump at the breakpoint', () => {
    const breakpoint = (4 * 9 * 0.5 * 3.5e9) / 3e8
    expect(lossWithSightDb(breakpoint + 1e-6, 3.5)).toBeCloseTo(lossWithSightDb(breakpoint, 3.5), 4)
  })

  it('carries more with a better signal, within bounds', () => {
    expectToGrow(
      sweep(0.01, 1e5).map((sinr) => efficiencyOf(sinr)),
      false,
    )
    expect(efficiencyOf(0.09)).toBe(0)
    expect(efficiencyOf(1e9)).toBeCloseTo(5.98, 2)
  })

  it('has an RSRQ that falls with load and with interference', () => {
    expectToGrow(sweep(0.01, 1).map((load) => -rsrqDb(100, load)))
    expectToGrow(sweep(0.1, 1e4).map((sinr) => rsrqDb(sinr, 0.5)))
    expect(rsrqDb(1e6, 1)).toBeCloseTo(-10.8, 1)
  })

  it('takes the power of the EARTH model', () => {
    expect(fiveGWatts(41, 1)).toBeCloseTo(2 * (56 + 2.6 * 6.3), 0)
    expectToGrow(sweep(0.01, 1).map((load) => fiveGWatts(41, load)))
    expectToGrow(sweep(20, 41).map((dbm) => fiveGWatts(dbm, 0.5)))
  })

  it('has the frequencies of its carriers', () => {
    expect(frequencyOfArfcn(630_000)).toBeCloseTo(3.45, 6)
  })
})

describe('WiFi', () => {
  it('loses more on longer ways and at higher frequencies', () => {
    for (const channel of [6, 36])
      expectToGrow(sweep(1, 100).map((metres) => indoorLossDb(metres, bandOf(channel))))
    expectToGrow(sweep(2400, 7100).map((mhz) => lossAtOneMetreDb(mhz)))
  })

  it('has the rates of 802.11ax', () => {
    // Of two streams, with a guard interval of 0.8 us.
    expect(phyRateMbps(0, bandOf(6))).toBeCloseTo(17.2, 1)
    expect(phyRateMbps(11, bandOf(6))).toBeCloseTo(286.8, 1)
    expect(phyRateMbps(0, bandOf(36))).toBeCloseTo(72.1, 1)
    expect(phyRateMbps(11, bandOf(36))).toBeCloseTo(1201, 0)
    expectToGrow(Array.from({ length: 12 }, (_, mcs) => phyRateMbps(mcs, bandOf(36))))
  })

  it('chooses a scheme that the signal is enough for', () => {
    expectToGrow(
      sweep(1, 60).map((snr) => mcsOf(snr)),
      false,
    )
    expect([mcsOf(0), mcsOf(27.1), mcsOf(60)]).toEqual([0, 7, 11])
  })

  it('collides as Bianchi found', () => {
    expect(collisionsOf(1)).toBeCloseTo(0, 6)
    // Two stations: each meets the other with its chance to send, 2 / 17 less what doubling takes.
    expect(collisionsOf(2)).toBeGreaterThan(0.09)
    expect(collisionsOf(2)).toBeLessThan(0.118)
    expectToGrow(sweep(1.01, 60).map((stations) => collisionsOf(stations)))
  })

  it('takes more power with more airtime and more power sent', () => {
    expectToGrow(sweep(0.01, 1).map((airtime) => wifiWatts(17, airtime)))
    expectToGrow(sweep(1, 23).map((dbm) => wifiWatts(dbm, 0.5)))
  })
})

describe('LiFi', () => {
  it('is brightest right beneath and ends with the field of view', () => {
    expectToGrow(sweep(0.01, 3.6).map((metres) => -gainOf(metres * metres)))
    expect(gainOf(3.8 ** 2)).toBe(0)
    // Kahn and Barry by hand: order 2, 1 cm2, concentrator 3, filter 0.3, 2.15 m.
    expect(gainOf(0)).toBeCloseTo(((3 * 1e-4) / (2 * Math.PI * 2.15 ** 2)) * 0.3 * 3, 10)
  })

  it('the illuminance of a desk is that of a luminaire', () => {
    expect(illuminanceOf(10)).toBeCloseTo(310, 0)
  })

  it('has more noise in more light', () => {
    expectToGrow(sweep(1, 10_000).map((lux) => noiseOf(1e-5, lux)))
    expectToGrow(sweep(1e-7, 1e-3).map((received) => noiseOf(received, 100)))
  })

  it('carries more with a better signal, within bounds', () => {
    expectToGrow(
      sweep(0.1, 1e6).map((snr) => lifiRateMbps(snr)),
      false,
    )
    expect(lifiRateMbps(1e9)).toBeLessThan(0.75 * 40 * 12)
  })

  it('takes more power with more light and more load', () => {
    expectToGrow(sweep(27, 41).map((dbm) => lifiWatts(dbm, 0.5)))
    expectToGrow(sweep(0.01, 1).map((load) => lifiWatts(40, load)))
  })
})

describe('the queue', () => {
  it('the delay follows M/M/1 while the queue has capacity', () => {
    for (const load of [0, 0.1, 0.5, 0.8]) {
      expect(roundsOf(load, 200)).toBeCloseTo(1 / (1 - load), 4)
      expect(lossOf(load, 200)).toBeCloseTo(0, 6)
    }
  })

  it('is bounded beyond saturation, and loses what does not fit', () => {
    const loads = sweep(0.05, 3)
    expectToGrow(loads.map((load) => roundsOf(load, 50)))
    for (const load of loads) expect(roundsOf(load, 50)).toBeLessThanOrEqual(50)
    expect(lossOf(1, 50)).toBeCloseTo(1 / 51, 6)
    expect(lossOf(2, 50)).toBeCloseTo(0.5, 6)
    for (const close of [-2e-5, -5e-6, 5e-6, 2e-5]) {
      expect(lossOf(1 + close, 50)).toBeCloseTo(1 / 51, 3)
      expect(roundsOf(1 + close, 50)).toBeCloseTo(25.5, 1)
    }
  })
})

describe('the hours', () => {
  const tuesday = Date.UTC(2026, 2, 10)
  const hours = (technology: '5G' | 'WiFi' | 'LiFi', day: number, longitude = 0) =>
    Array.from({ length: 24 }, (_, hour) => rhythmAt(technology, day + (hour + 0.5) * 3_600_000, longitude))
  const peakOf = (values: number[]) => values.indexOf(Math.max(...values))

  it('have their peak in the evening outdoors and in working hours in an office', () => {
    expect(peakOf(hours('5G', tuesday))).toBe(20)
    expect(peakOf(hours('WiFi', tuesday))).toBe(14)
    expect(hours('WiFi', tuesday)[3]).toBeLessThan(0.05)
  })

  it('are those of the sun', () => {
    expect(hours('WiFi', tuesday, 90)[8]).toBeCloseTo(hours('WiFi', tuesday)[14] ?? 0, 9)
  })

  it('are quiet in an office at a weekend', () => {
    const saturday = tuesday + 4 * 86_400_000
    expect(Math.max(...hours('LiFi', saturday))).toBeLessThan(0.15)
  })

  it('have no jumps, also over midnight', () => {
    for (const technology of ['5G', 'WiFi', 'LiFi'] as const)
      for (let minute = 0; minute < 7 * 1440; minute++) {
        const ms = tuesday + minute * 60_000
        const step = Math.abs(rhythmAt(technology, ms + 60_000, 11) - rhythmAt(technology, ms, 11))
        expect(step).toBeLessThan(0.01)
      }
  })

  it('have daylight by day, and more of it in summer', () => {
    const noon = (month: number) => daylightAt(Date.UTC(2026, month, 21, 12), 48, 0)
    expect(daylightAt(Date.UTC(2026, 5, 21, 0), 48, 0)).toBe(0)
    expect(noon(5)).toBeGreaterThan(2 * noon(11))
    expect(noon(5)).toBeLessThan(25_000)
  })
})
