import { describe, expect, it } from 'vitest'
import { FiveG } from './five-g.ts'
import { Cell, type Scenario, scenarios, technologies } from './index.ts'
import { LiFi } from './lifi.ts'
import { noLink } from './link.ts'
import { hashOf, mix, unit } from './random.ts'
import type { Moment, Radio } from './types.ts'
import { WiFi } from './wifi.ts'

const startMs = Date.UTC(2026, 2, 10, 8)
const hourMs = 3_600_000
const radios = { '5G': FiveG, WiFi, LiFi }

/** Numbers from 0 to 1, the same each time. */
const chance = (name: string, n: number) => unit(mix(hashOf(name), n))

function momentOf({ traits }: Radio): Moment {
  const channel = traits.channels.at(-1) ?? 0
  const { usual: txPowerDbm } = traits.txPowerDbm
  return {
    s: startMs / 1000,
    txPowerDbm,
    channel,
    neighbours: 0.5,
    beamBlocked: false,
    people: 0,
    daylight: 0,
  }
}

/** What devices at a distance have in the mean, over many places, of which each has its own walls and corners. */
function meanAt(radioOf: new (seed: number) => Radio, distanceM: number) {
  const link = noLink()
  const sums = { signal: 0, rate: 0, attached: 0 }
  const seeds = 1500
  for (let seed = 0; seed < seeds; seed++) {
    const radio = new radioOf(mix(seed, 77))
    const angle = 2 * Math.PI * chance('angle', seed)
    radio.link(momentOf(radio), seed, distanceM * Math.cos(angle), distanceM * Math.sin(angle), link)
    for (const name of ['signal', 'rate', 'attached'] as const) sums[name] += link[name] / seeds
  }
  return sums
}

function cellAt(n: number, more: { devices?: number; scenario?: Scenario } = {}): Cell {
  return new Cell({
    technology: technologies[n % 3] ?? '5G',
    scenario: scenarios[Math.floor(chance('scenario', n) * scenarios.length)] ?? 'steady',
    seed: `property ${n}`,
    devices: Math.ceil(300 * chance('devices', n) ** 3),
    latitude: 120 * chance('latitude', n) - 60,
    longitude: 360 * chance('longitude', n) - 180,
    startMs,
    durationS: 3600,
    ...more,
  })
}

/** Watt hours of an hour. */
function energyOf(cell: Cell): number {
  const stepMs = 20_000
  let wattHours = 0
  for (let ms = startMs; ms < startMs + hourMs; ms += stepMs)
    wattHours += ((cell.sampleAt(ms)?.['power_w'] ?? 0) * stepMs) / hourMs
  return wattHours
}

describe('distance', () => {
  it.each(technologies)('reduces signal, rate and attachment to a %s access point', (technology) => {
    const { radiusM } = new radios[technology](1).traits.ground
    const rings = [0.15, 0.35, 0.55, 0.75, 0.95].map((part) => meanAt(radios[technology], part * radiusM))
    for (const [n, ring] of rings.slice(1).entries())
      for (const name of ['signal', 'rate', 'attached'] as const)
        expect(ring[name], `${name} in ring ${n + 1}`).toBeLessThan(rings[n]?.[name] ?? NaN)
  })
})

describe('energy', () => {
  it('is no less with more load, at any moment of any cell', () => {
    let compared = 0
    for (let n = 0; n < 60; n++) {
      const cell = cellAt(n, { scenario: 'steady' })
      // The air that WiFi neighbours take is not its own, and costs it nothing.
      const loadOf = (sample: Record<string, number>) => sample['airtime_pct'] ?? sample['load_pct'] ?? NaN
      const samples = Array.from(
        { length: 60 },
        (_, minute) => cell.sampleAt(startMs + minute * 60_000) ?? {},
      )
      // By more than beacons, which are airtime too and part of what it takes when idle.
      const pairs = samples.flatMap((one) =>
        samples.filter((other) => loadOf(other) > loadOf(one) + 1.1).map((other) => [one, other] as const),
      )
      compared += pairs.length
      for (const [less, more] of pairs)
        expect(more['power_w'], `cell ${n}`).toBeGreaterThanOrEqual(less['power_w'] ?? NaN)
    }
    expect(compared).toBeGreaterThan(1000)
  })

  it('of an hour is least when switched off, more when idle, and most with the most power sent', () => {
    let different = 0
    for (let n = 0; n < 30; n++) {
      const { min, usual, max } = new radios[technologies[n % 3] ?? '5G'](1).traits.txPowerDbm
      const off = cellAt(n, { scenario: 'steady' })
      off.powerOff(startMs)
      const idle = cellAt(n, { scenario: 'steady', devices: 0 })
      const [low, plain, high] = [min, usual, max].map((dbm) => {
        const cell = cellAt(n, { scenario: 'steady' })
        cell.setPower(dbm, startMs)
        return energyOf(cell)
      })
      expect(energyOf(off), `cell ${n}`).toBeLessThan(energyOf(idle))
      expect(energyOf(idle), `cell ${n}`).toBeLessThanOrEqual(plain ?? NaN)
      // An idle amplifier takes no power; the usual power may be the maximum; and with less power transmissions take
      // longer, which can cost slightly more than it saves.
      expect(low, `cell ${n}`).toBeLessThanOrEqual((plain ?? NaN) * 1.01)
      expect(plain, `cell ${n}`).toBeLessThanOrEqual((high ?? NaN) * 1.01)
      if ((high ?? NaN) > (low ?? NaN)) different += 1
    }
    expect(different).toBeGreaterThan(20)
  })
})

describe('any moment of any cell', () => {
  it('has the same sample, whichever samples were taken before', () => {
    for (let n = 0; n < 300; n++) {
      const asked = cellAt(n)
      for (let other = 0; other < 5; other++) asked.sampleAt(startMs + hourMs * chance(`other ${other}`, n))
      const ms = startMs + Math.floor(hourMs * chance('moment', n))
      expect(asked.sampleAt(ms)).toEqual(cellAt(n).sampleAt(ms))
    }
  })
})
