import { beamBlockage, beamBlockagePeriodS, scenarioTimes } from '@manc/contract'
import { hashOf, mix, unit } from './random.ts'
import { rhythmAt } from './rhythm.ts'
import type { Scenario } from './scenarios.ts'
import type { Technology } from './types.ts'

/** The share of devices that are present in scenarios that do not follow the time of day. */
export const usualPeople = 0.6
const rush = {
  ...scenarioTimes.rush,
  peopleBefore: 0.35,
  peopleMore: 0.6,
  demandBefore: 0.7,
  demandMore: 1.5,
}
const { backhaulCut: cut, failure } = scenarioTimes

export interface SceneOptions {
  technology: Technology
  seed: string
  /** What the access points of an emulation have in common: when a beam is blocked. By default the seed. */
  network?: string
  longitude: number
  scenario: Scenario
  /** When the emulation begins, and how long it takes: scenarios have their events at parts of it. */
  startMs: number
  durationS: number
}

export interface Scene {
  /** The part of the devices that is there, 0 to 1. */
  people: number
  /** Demand of each device, relative to the ordinary demand. */
  demand: number
  beamBlocked: boolean
  backhaulCut: boolean
  /** The access point has failed and sends nothing. */
  hasFailed: boolean
  /** When the failure ended. */
  backMs: number | undefined
}

export function sceneAt(options: SceneOptions, ms: number): Scene {
  const scene: Scene = {
    people: usualPeople,
    demand: 1,
    beamBlocked: false,
    backhaulCut: false,
    hasFailed: false,
    backMs: undefined,
  }
  const part = (ms - options.startMs) / (options.durationS * 1000)
  switch (options.scenario) {
    case 'steady':
      break
    case 'daily':
      scene.people = rhythmAt(options.technology, ms, options.longitude)
      // At busy hours each device also has more demand.
      scene.demand = 0.5 + 0.7 * scene.people
      break
    case 'rush_hour': {
      const share = Math.exp(-0.5 * ((part - rush.middle) / rush.width) ** 2)
      scene.people = rush.peopleBefore + rush.peopleMore * share
      scene.demand = rush.demandBefore + rush.demandMore * share
      break
    }
    case 'lifi_beam_blocked':
      scene.beamBlocked = options.technology === 'LiFi' && isBlocked(options, ms)
      break
    case 'backhaul_cut':
      scene.backhaulCut = part >= cut.from && part < cut.to
      break
    case 'access_point_failure': {
      const chance = unit(mix(hashOf(options.seed), hashOf('failure')))
      const from = failure.earliest + (failure.latest - failure.earliest) * chance
      const to = from + failure.takes
      scene.hasFailed = part >= from && part < to
      if (part >= to) scene.backMs = options.startMs + to * options.durationS * 1000
      break
    }
  }
  return scene
}

/** The same for all access points of an emulation. */
function isBlocked({ startMs, durationS, seed, network = seed }: SceneOptions, ms: number): boolean {
  const seconds = (ms - startMs) / 1000
  if (seconds < 0 || seconds >= durationS) return false
  const periodS = beamBlockagePeriodS(durationS)
  const periods = seconds / periodS
  const period = Math.floor(periods)
  const chance = unit(mix(hashOf(`blockage ${network}`), period))
  const length = beamBlockage.min + (beamBlockage.max - beamBlockage.min) * chance
  const into = periods - period - beamBlockage.from
  return into >= 0 && into < length
}
