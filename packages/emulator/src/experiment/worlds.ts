import type { ExperimentWorldName } from '@manc/contract'
import type { WorldSpec } from '../world/index.ts'
import type { AccessPointSpec } from '../world/types.ts'
import { type Add, busyMix, grid, Plan, startOfDay, warmUpS } from './plan.ts'

interface Site {
  scenario: AccessPointSpec['scenario']
  durationS: number
  startMs: number
  /** The part of the time that is measured: of a rush hour its middle. */
  measured: readonly [number, number]
  /** Only the first so many seconds of each hour are simulated. */
  sliceS?: number
  build: (add: Add) => void
}

const hourS = 3600

/** The four worlds. People are unequally distributed, as in reality: some access points have most of them. */
const sites = {
  /**
   * A building with WiFi on a grid, two crowded lecture halls, some rooms with LiFi, and a cell outside. A day is sampled: ten
   * minutes of each hour.
   */
  campus_day: {
    scenario: 'daily',
    durationS: 24 * hourS,
    startMs: startOfDay(0),
    measured: [0, 1],
    sliceS: 600,
    build(add) {
      add('5G', -80, 30, { devices: 20 })
      grid(6, 4, 18, (x, y, n) => add('WiFi', x, y, { devices: n === 8 || n === 15 ? 170 : 10 }))
      grid(4, 2, 7, (x, y) => add('LiFi', x, y + 40, { devices: 3, roomM: 30 }))
    },
  },
  /** A lecture hall fills and empties: most people are at two of eight access points of the building. */
  lecture_rush: {
    scenario: 'rush_hour',
    durationS: 2400,
    startMs: startOfDay(8),
    measured: [0.35, 0.65],
    build(add) {
      add('5G', -90, 30, { devices: 20 })
      add('5G', 110, -40, { devices: 20 })
      grid(4, 2, 18, (x, y, n) => add('WiFi', x, y, { devices: n === 1 || n === 2 ? 90 : 12 }))
      grid(3, 2, 6, (x, y) => add('LiFi', x, y - 9, { devices: 6, roomM: 24 }))
    },
  },
  /** Luminaires over the whole hall; machines block all beams every quarter of an hour, and people pass all the time. */
  factory_hall: {
    scenario: 'steady',
    durationS: 2 * hourS,
    startMs: startOfDay(8),
    measured: [0, 1],
    build(add) {
      add('5G', 60, 0, { devices: 0 })
      grid(2, 1, 30, (x, y) => add('WiFi', x, y, { devices: 130 }))
      grid(6, 4, 6, (x, y) => add('LiFi', x, y, { devices: 8, roomM: 80, scenario: 'lifi_beam_blocked' }))
    },
  },
  /** Stands with WiFi and four cells around; the demand has its peak at half-time. */
  stadium: {
    scenario: 'rush_hour',
    durationS: 1800,
    startMs: startOfDay(15),
    measured: [0.35, 0.65],
    build(add) {
      for (const [x, y] of [
        [-130, 0],
        [130, 0],
        [0, -110],
        [0, 110],
      ] as const)
        add('5G', x, y, { devices: 30 })
      grid(6, 3, 20, (x, y, n) => add('WiFi', x, y, { devices: n % 3 === 0 ? 40 : 15, mobility: 'sitting' }))
    },
  },
} satisfies Record<ExperimentWorldName, Site>

/** Seconds from and to which a world runs, and from which figures are collected. */
interface Slice {
  fromS: number
  measuredS: number
  toS: number
}

/** A world to simulate. */
export interface BuiltWorld {
  spec: WorldSpec
  slices: Slice[]
  /** Policies begin with the measured time. By default with the world. */
  isSteeredLate?: boolean
}

/** `part` shortens a run, for CI; the events of a scenario keep their place in it. */
export function siteOf(name: ExperimentWorldName, seed: string, part: number): BuiltWorld {
  const site: Site = sites[name]
  const { sliceS } = site
  const durationS = sliceS === undefined ? Math.max(600, Math.round(site.durationS * part)) : site.durationS
  const plan = new Plan({ name, seed, scenario: site.scenario, durationS, mix: busyMix })
  site.build((...one) => plan.add(...one))
  const spec = { accessPoints: plan.accessPoints, startMs: site.startMs }
  if (sliceS !== undefined) return { spec, slices: hourly(sliceS, part) }
  const [from, to] = site.measured
  const measuredS = Math.max(warmUpS, Math.round(from * durationS))
  return { spec, slices: [{ fromS: 0, measuredS, toS: Math.round(to * durationS) }] }
}

/** The part of a named world that takes so many simulated seconds. */
export function partOf(name: ExperimentWorldName, durationS: number): number {
  const { sliceS, durationS: wholeS }: Site = sites[name]
  return Math.min(1, durationS / (sliceS === undefined ? wholeS : (sliceS * wholeS) / hourS))
}

/** The first seconds of each hour of a day; of some hours only where a run is shortened. */
function hourly(sliceS: number, part: number): Slice[] {
  const everyHours = Math.max(1, Math.round(1 / part))
  const hours = Array.from({ length: Math.ceil(24 / everyHours) }, (_, n) => n * everyHours)
  return hours.map((hour) => ({
    fromS: hour * hourS,
    measuredS: hour * hourS + warmUpS,
    toS: hour * hourS + sliceS,
  }))
}
