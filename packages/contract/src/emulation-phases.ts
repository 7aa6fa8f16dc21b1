import type { Scenario } from './emulator.ts'

/** When the events of a scenario happen, as shares of the duration of the emulation. */
export const scenarioTimes = {
  /** A normal distribution around its middle. */
  rush: { middle: 0.5, width: 0.12 },
  backhaulCut: { from: 0.4, to: 0.6 },
  /** Each access point fails once, at a random time. */
  failure: { earliest: 0.35, latest: 0.65, takes: 0.15 },
} as const

/** Six times in an emulation, but at most twice a minute and at least four times an hour. Shares of the time between them. */
export const beamBlockage = { times: 6, minS: 30, maxS: 900, from: 0.3, min: 0.25, max: 0.45 } as const

/** Seconds from one blockage of the beam to the next. */
export const beamBlockagePeriodS = (durationS: number): number =>
  Math.min(Math.max(durationS / beamBlockage.times, beamBlockage.minS), beamBlockage.maxS)

export const emulationPhases = [
  'rush_hour',
  'rush_hour_over',
  'beam_blockages',
  'backhaul_cut',
  'backhaul_restored',
  'failures',
  'failures_over',
] as const
export type EmulationPhase = (typeof emulationPhases)[number]

interface PhaseBegin {
  phase: EmulationPhase
  /** After the begin of the emulation. */
  afterS: number
}

const { rush, backhaulCut, failure } = scenarioTimes

/** The phases of a scenario, in their order. Those without events have none. */
export function phasesOf(scenario: Scenario, durationS: number): PhaseBegin[] {
  const at = (share: number, phase: EmulationPhase): PhaseBegin => ({ phase, afterS: share * durationS })
  switch (scenario) {
    case 'rush_hour':
      return [
        at(rush.middle - 2 * rush.width, 'rush_hour'),
        at(rush.middle + 2 * rush.width, 'rush_hour_over'),
      ]
    case 'lifi_beam_blocked': {
      const afterS = beamBlockage.from * beamBlockagePeriodS(durationS)
      // Of the first one: the others follow at the same interval.
      return afterS < durationS ? [{ phase: 'beam_blockages', afterS }] : []
    }
    case 'backhaul_cut':
      return [at(backhaulCut.from, 'backhaul_cut'), at(backhaulCut.to, 'backhaul_restored')]
    case 'access_point_failure':
      return [at(failure.earliest, 'failures'), at(failure.latest + failure.takes, 'failures_over')]
    default:
      return []
  }
}
