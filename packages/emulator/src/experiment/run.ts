import { Advisor, namedPolicy, type Policy } from '@manc/advisor'
import {
  type ExperimentFigureValues,
  type ExperimentRunResult,
  type ExperimentWorldName,
  experimentFigures,
  type SteeringPolicyName,
} from '@manc/contract'
import type { ExperimentRunMessage } from '@manc/contract/experiment-messages'
import { worldOf } from './described-world.ts'
import type { Figures } from './metrics.ts'
import { networkWorld } from './network-world.ts'
import { Series } from './series.ts'
import { secondsOf, simulate } from './simulation.ts'
import { siteOf } from './worlds.ts'

/** As in the contract. */
const defaultHorizonS = 1800

/** A run of a bench. */
export interface NamedRun {
  world: ExperimentWorldName
  policy: SteeringPolicyName
  seed: string
  /** Of the duration of the world. */
  part: number
}

export const runNamed = ({ world, policy, seed, part }: NamedRun): Figures =>
  simulate({ world: siteOf(world, seed, part), seed, policy: namedPolicy(policy) })

/** A run of an experiment. `onProgress` gets the simulated part of it after each second, 0 to 1. */
export function runExperiment(
  {
    world: given,
    places,
    duration_s: durationS,
    seed,
    policy,
    command,
  }: Omit<ExperimentRunMessage, 'run_id'>,
  onProgress: (part: number) => void = () => {},
): ExperimentRunResult {
  const world = places
    ? networkWorld(places, seed, durationS ?? defaultHorizonS)
    : worldOf(given, seed, durationS ?? undefined)
  const totalS = secondsOf(world)
  const series = new Series(totalS)
  let doneS = 0
  const figures = simulate({
    world,
    seed,
    policy: policyOf(policy),
    command: command && { apId: command.ap_id, text: textOf(command.command) },
    series,
    onSecond: () => {
      doneS += 1
      onProgress(doneS / totalS)
    },
  })
  return { figures: valuesOf(figures), series: series.points() }
}

/** Access points that are off at the begin are asleep in the world: their power and their clients are the same. */
const textOf = (command: string) => command.replace(/^\s*power_on\b/i, 'wake')

function policyOf({ name, document }: ExperimentRunMessage['policy']): Policy | undefined {
  if (document) return new Advisor(document)
  return name === undefined ? undefined : namedPolicy(name)
}

/** JSON has no NaN: what could not be measured is null, as is the outage of blockages that did not happen. */
function valuesOf(figures: Figures): ExperimentFigureValues {
  const { blockages, predictable } = figures
  const measured = {
    ...figures,
    outage_s: blockages > 0 ? figures.outage_s : Number.NaN,
    outage_predictable_s: predictable > 0 ? figures.outage_predictable_s : Number.NaN,
  }
  const values = experimentFigures.map((name) => [
    name,
    Number.isFinite(measured[name]) ? measured[name] : null,
  ])
  return Object.fromEntries(values) as ExperimentFigureValues
}
