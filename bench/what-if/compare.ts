import { namedPolicy } from '@manc/advisor'
import type { NetworkPlace } from '@manc/contract/experiment-messages'
import { runExperiment, simulate } from '@manc/emulator/experiment'
import { placesOf } from '../../packages/server/src/modules/experiments/what-if.rules.ts'
import { knownOf } from './network.ts'
import type { Change, Situation } from './situations.ts'

const horizonS = 1800
/** Reports of clients are collected, and attachments settle, for this long before the question. */
const leadS = 900

/** What a figure is without and with the change. */
export interface Pair {
  without: number
  changed: number
}

export interface Comparison {
  change: string
  clients: number
  truth: Record<'p5' | 'mean' | 'kwh', Pair>
  predicted: Record<'p5' | 'mean' | 'kwh', Pair>
  /** With the counts of clients only, as of access points that do not report clients. One seed. */
  coarse: Record<'p5' | 'mean' | 'kwh', Pair> | undefined
}

interface Options {
  seed: string
  /** Seeds of the prediction. */
  repetitions: number
  isCoarseToo: boolean
}

/** What a what-if predicts for a network, and what then happens in it. */
export function compare(situation: Situation, { seed, repetitions, isCoarseToo }: Options): Comparison {
  const spec = situation.build(seed)
  const { atS } = situation
  const fromS = Math.max(0, atS - leadS)
  const { agents, clients } = knownOf(spec, seed, { fromS, atS })
  const places = placesOf(agents, clients)
  const change = situation.change(places)
  const world = { spec, slices: [{ fromS, measuredS: atS, toS: atS + horizonS }], isSteeredLate: true }
  const truthOf = ({ policy, command }: Change) =>
    simulate({
      world,
      seed,
      policy: policy && namedPolicy(policy),
      command: command && { apId: command.ap_id, text: command.command },
    })
  return {
    change: change.policy ?? `${change.command?.command} at ${change.command?.ap_id}`,
    clients: clients.length,
    truth: pairOf(truthOf, change),
    predicted: predictionOf(places, change, repetitions),
    coarse: isCoarseToo ? predictionOf(placesOf(agents.map(withoutRadio)), change, 1) : undefined,
  }
}

const withoutRadio = ({ radio: _radio, ...agent }: Parameters<typeof placesOf>[0][number]) => agent

/** The means over seeds, as in the results of a what-if. */
function predictionOf(
  places: readonly NetworkPlace[],
  change: Change,
  repetitions: number,
): Comparison['predicted'] {
  const pairs = Array.from({ length: repetitions }, (_, n) =>
    pairOf(({ policy = 'none', command }) => {
      const run = { world: {}, places: [...places], duration_s: horizonS, seed: `what-if-${n + 1}` }
      return runExperiment({ ...run, policy: { name: policy }, ...(command && { command }) }).figures
    }, change),
  )
  const mean = (name: keyof Comparison['predicted'], side: keyof Pair) =>
    pairs.reduce((sum, pair) => sum + pair[name][side], 0) / pairs.length
  const meansOf = (name: keyof Comparison['predicted']) => ({
    without: mean(name, 'without'),
    changed: mean(name, 'changed'),
  })
  return { p5: meansOf('p5'), mean: meansOf('mean'), kwh: meansOf('kwh') }
}

interface Measured {
  p5_mbps: number | null
  mean_mbps: number | null
  kwh: number | null
}

function pairOf(run: (change: Change) => Measured, change: Change): Comparison['truth'] {
  const without = run({})
  const changed = withoutRefusal(() => run(change)) ?? without
  const of = (name: keyof Measured) => ({ without: without[name] ?? 0, changed: changed[name] ?? 0 })
  return { p5: of('p5_mbps'), mean: of('mean_mbps'), kwh: of('kwh') }
}

/** A command that an access point refuses changes nothing: no client can move to the target. */
function withoutRefusal<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('No client has moved')) return undefined
    throw error
  }
}
