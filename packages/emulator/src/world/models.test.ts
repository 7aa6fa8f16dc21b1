import { describe, expect, it } from 'vitest'
import {
  efficiencyOf,
  fiveGGainDb,
  fiveGRateMbps,
  lossWithoutSightDb,
  lossWithSightDb,
  sinrOf,
} from '../radio/five-g.ts'
import { gainOf, opticalSnr } from '../radio/lifi.ts'
import { noLink } from '../radio/link.ts'
import { fromDb, toDb } from '../radio/units.ts'
import { bandOf, floorLossDb, indoorLossDb, phyRateMbps, setScheme, wifiGainDb } from '../radio/wifi.ts'
import { Grid } from './grid.ts'
import { toMetres } from './map.ts'
import { isSameAir, levelOf } from './sharing.ts'
import { placeAt } from './test-worlds.ts'

/** Mean and standard deviation over places on a circle, for many access points: shadowing has mean 0. */
function over(metres: number, gain: (seed: number, x: number, y: number) => number) {
  const values = Array.from({ length: 4000 }, (_, n) => {
    const angle = n * 2.399_963
    return gain(n * 7919 + 13, metres * Math.cos(angle), metres * Math.sin(angle))
  })
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return { mean, deviation: Math.sqrt(variance) }
}

describe('path loss', () => {
  it('of WiFi is that of ITU-R P.1238 (20 log f + N log d - 28), with the shadowing of 5 dB of TGn model D', () => {
    // Tolerance: 0.3 dB, the standard error of the mean of 4,000 places is 0.08 dB.
    for (const [channel, mhz, perDecade] of [
      [36, 5500, 31],
      [6, 2442, 30],
    ] as const)
      for (const metres of [5, 20, 60]) {
        const direct = Math.hypot(metres, 1.5)
        const loss = 20 * Math.log10(mhz) + perDecade * Math.log10(direct) - 28
        const { mean, deviation } = over(metres, (seed, x, y) => wifiGainDb({ seed, channel }, x, y, 0))
        expect(Math.abs(mean - (3 - loss))).toBeLessThan(0.3)
        expect(Math.abs(deviation - 5)).toBeLessThan(0.4)
        expect(indoorLossDb(direct, bandOf(channel))).toBeCloseTo(loss, 9)
      }
  })

  it('through floors is that of ITU-R P.1238 table 3: 15 dB for one, and 4 more for each other', () => {
    expect([0, 1, 2, 3].map(floorLossDb)).toEqual([0, 15, 19, 23])
    const below = wifiGainDb({ seed: 1, channel: 36 }, 4, 0, 1)
    expect(below).toBeLessThan(wifiGainDb({ seed: 1, channel: 36 }, 4, 0, 0) - 15)
  })

  it('of 5G is that of TR 38.901 UMi with and without sight', () => {
    // Tolerance: 0.6 dB, since a standard deviation of 7.82 dB over 4,000 places has a standard error of 0.12 dB and
    // line of sight is drawn.
    const perSubcarrierDb = 8 - toDb(273 * 12)
    for (const metres of [15, 60, 200]) {
      const sums = { clear: 0, clearDb: 0, other: 0, otherDb: 0 }
      over(metres, (seed, x, y) => {
        const { gainDb, isClear } = fiveGGainDb({ seed, channel: 636_666 }, x, y, 0)
        sums[isClear ? 'clear' : 'other'] += 1
        sums[isClear ? 'clearDb' : 'otherDb'] += gainDb
        return gainDb
      })
      const ghz = 3 + 36_666 * 0.000_015
      expect(
        Math.abs(sums.clearDb / sums.clear - (perSubcarrierDb - lossWithSightDb(metres, ghz))),
      ).toBeLessThan(0.6)
      const withoutSightDb = perSubcarrierDb - lossWithoutSightDb(metres, ghz)
      const meanDb = sums.other === 0 ? withoutSightDb : sums.otherDb / sums.other
      expect(Math.abs(meanDb - withoutSightDb)).toBeLessThan(0.6)
      // TR 38.901 table 7.4.2-1; tolerance 3 % of the places.
      const chance = metres <= 18 ? 1 : 18 / metres + Math.exp(-metres / 36) * (1 - 18 / metres)
      expect(Math.abs(sums.clear / 4000 - chance)).toBeLessThan(0.03)
    }
  })

  it('of light is the Lambertian line of sight of Kahn and Barry (1997), and ends with the field of view', () => {
    // Exact: order 2 for a half-power angle of 45 degrees, 1 cm2, filter 0.3, concentrator 1.5^2 / sin^2 60, 2.15 m.
    for (const metres of [0, 0.7, 1.9, 3.6]) {
      const squared = metres * metres + 2.15 * 2.15
      const cosine = 2.15 / Math.sqrt(squared)
      const gain = ((3 * 1e-4) / (2 * Math.PI * squared)) * cosine ** 3 * 0.3 * 3
      expect(gainOf(metres * metres) / gain).toBeCloseTo(1, 9)
    }
    expect(gainOf(3.8 * 3.8)).toBe(0)
  })
})

describe('rates', () => {
  it('of WiFi are those of 802.11ax, less a tenth at the sensitivity of a scheme', () => {
    // IEEE 802.11ax-2021 27.5: two streams, 80 MHz, guard interval 0.8 us; 65 % of the air carries data.
    const link = noLink()
    for (const [mcs, mbps, snr] of [
      [0, 72.1, 9],
      [7, 720.6, 27],
      [11, 1201, 39],
    ] as const) {
      setScheme(link, snr, bandOf(36))
      expect(link.mcs).toBe(mcs)
      expect(Math.abs(phyRateMbps(mcs, bandOf(36)) - mbps)).toBeLessThan(0.1)
      expect(link.rate / (mbps * 0.65 * 0.9)).toBeCloseTo(1, 1)
    }
  })

  it('of 5G follow the attenuated Shannon bound of TR 36.942 annex A', () => {
    for (const snrDb of [-8, 0, 10, 20]) {
      const sinr = fromDb(snrDb)
      expect(efficiencyOf(sinr)).toBeCloseTo(0.6 * Math.log2(1 + sinr), 9)
      expect(fiveGRateMbps(sinr)).toBeGreaterThanOrEqual(98.28 * (26 / 35) * efficiencyOf(sinr) - 1e-9)
    }
    expect(fiveGRateMbps(fromDb(-11))).toBe(0)
  })

  it('of 5G fall with interference: as much interference as noise costs 3 dB', () => {
    const noise = fromDb(-174 + toDb(30_000) + 9)
    const received = 100 * noise
    const lostDb = toDb(sinrOf(received, 0) / sinrOf(received, noise))
    // The transmitter's own error vector (0.035^2) is part of both.
    expect(Math.abs(lostDb - 3.01)).toBeLessThan(0.3)
  })

  it('of light fall with the square of the received power while noise is thermal', () => {
    const ratio = opticalSnr(2e-7, 0, 0, 0) / opticalSnr(1e-7, 0, 0, 0)
    expect(Math.abs(ratio - 4)).toBeLessThan(0.05)
  })
})

describe('a max-min fair division', () => {
  const level = (needs: number[], capacity: number, weights = needs.map(() => 1)) =>
    levelOf(needs, weights, [0, needs.length], capacity)

  it('gives n saturated stations the n-th part, and all their need where there is enough', () => {
    expect(level([5, 5, 5, 5], 1)).toBeCloseTo(0.25, 12)
    expect(level([0.1, 0.2], 1)).toBe(Number.POSITIVE_INFINITY)
    // Bertsekas and Gallager: what small ones leave is divided among the others.
    expect(level([0.1, 0.2, 5, 5], 1)).toBeCloseTo(0.35, 12)
    expect(level([0.1, 5], 1, [4, 2])).toBeCloseTo(0.3, 12)
    expect(level([1], 0)).toBe(0)
  })

  it('never exceeds the capacity, and uses all of it', () => {
    for (let n = 1; n < 200; n++) {
      const needs = Array.from({ length: n }, (_, place) => ((place * 37) % 11) / 10)
      const most = level(needs, 1)
      const used = needs.reduce((sum, need) => sum + Math.min(need, most), 0)
      const wanted = needs.reduce((sum, need) => sum + need, 0)
      expect(used).toBeCloseTo(Math.min(1, wanted), 9)
    }
  })
})

describe('channels', () => {
  it('share the air within 80 MHz of 5 GHz, and within 20 MHz of 2.4 GHz', () => {
    expect([isSameAir(36, 48), isSameAir(48, 52), isSameAir(100, 112), isSameAir(149, 161)]).toEqual([
      true,
      false,
      true,
      true,
    ])
    expect([isSameAir(1, 5), isSameAir(1, 6), isSameAir(11, 36), isSameAir(6, 6)]).toEqual([
      true,
      false,
      false,
      true,
    ])
  })
})

describe('the map', () => {
  it('has the distances of the places, and keeps sites apart', () => {
    const { xs, ys } = toMetres([
      placeAt(0),
      placeAt(30, 40),
      { latitude: -33.86, longitude: 151.2 },
      placeAt(-10),
    ])
    expect(Math.hypot((xs[1] ?? 0) - (xs[0] ?? 0), (ys[1] ?? 0) - (ys[0] ?? 0))).toBeCloseTo(50, 3)
    expect((xs[3] ?? 0) - (xs[0] ?? 0)).toBeCloseTo(-10, 3)
    expect(Math.abs((xs[2] ?? 0) - (xs[0] ?? 0))).toBeGreaterThan(900_000)
  })

  it('finds the same nearest ones as a search of all', () => {
    const count = 300
    const xs = Float64Array.from({ length: count }, (_, n) => ((n * 7919) % 1009) - 500)
    const ys = Float64Array.from({ length: count }, (_, n) => ((n * 104_729) % 997) - 500)
    const members = Array.from({ length: count }, (_, n) => n)
    const grid = new Grid(70, xs, ys, members)
    const found = new Int32Array(6)
    for (let n = 0; n < 200; n++) {
      const x = ((n * 31) % 1200) - 600
      const y = ((n * 57) % 1200) - 600
      const squared = (m: number) => (x - (xs[m] ?? 0)) ** 2 + (y - (ys[m] ?? 0)) ** 2
      const expected = members
        .filter((m) => squared(m) <= 4900)
        .sort((a, b) => squared(a) - squared(b) || a - b)
        .slice(0, 6)
      grid.nearest(x, y, found, 0, 6)
      expect([...found].filter((m) => m >= 0)).toEqual(expected)
    }
  })
})
