import { smallestEffect } from '@manc/contract/what-if-accuracy'
import { type Bench, median, rounded } from './bench.ts'
import { type Comparison, compare, type Pair } from './what-if/compare.ts'
import { situations } from './what-if/situations.ts'

/** Assumptions were chosen with the seeds tune-1 to tune-20. */
const seedOf = (n: number) => `report-${n + 1}`
const quickSituations = [0, 8, 13]
/** Fewer than the five of a request, for a shorter run. */
const repetitions = 3
/** Parts and errors are relative to at least this. */
const minMbps = 0.1

type Figure = keyof Comparison['truth']
type Guess = 'predicted' | 'coarse'

/**
 * A network is emulated up to a time. From what its controller knows then, a what-if predicts the next half hour with and without
 * a change, which the network itself then has. A prediction is right where both have the same of better, no effect and worse.
 * `ratio` is the part that is right. No figure depends on the time that it takes.
 */
export const whatIf: Bench = async ({ quick, log }) => {
  const numbers = quick ? quickSituations : [...situations.keys()]
  const all = numbers.flatMap((n) => {
    const situation = situations[n]
    if (!situation) return []
    const options = { seed: seedOf(n), repetitions: quick ? 1 : repetitions, isCoarseToo: !quick }
    const comparison = compare(situation, options)
    log(lineOf(`${n + 1}. ${situation.world}, ${comparison.change}`, comparison))
    return [comparison]
  })
  const right = rightPart(all, 'predicted', 'p5')
  return {
    ratio: rounded(right, 3),
    situations: all.length,
    sign_correct_pct: rounded(100 * right, 1),
    median_p5_error_pct: rounded(100 * median(errorsOf(all, 'predicted', 'changed')), 1),
    median_p5_error_without_change_pct: rounded(100 * median(errorsOf(all, 'predicted', 'without')), 1),
    mean_throughput_sign_correct_pct: rounded(100 * rightPart(all, 'predicted', 'mean'), 1),
    energy_sign_correct_pct: rounded(100 * rightPart(all, 'predicted', 'kwh'), 1),
    without_effect: all.filter(({ truth }) => signOf(truth.p5) === 0).length,
    ...(!quick && {
      counts_only_sign_correct_pct: rounded(100 * rightPart(all, 'coarse', 'p5'), 1),
      counts_only_median_p5_error_pct: rounded(100 * median(errorsOf(all, 'coarse', 'changed')), 1),
    }),
  }
}

const partOf = ({ without, changed }: Pair): number => (changed - without) / Math.max(minMbps, without)

/** 1 better, 0 no effect, -1 worse; of energy more is 1. */
function signOf(pair: Pair): number {
  const part = partOf(pair)
  return Math.abs(part) < smallestEffect ? 0 : Math.sign(part)
}

const isRight = (truth: Pair, guessed: Pair): boolean => signOf(truth) === signOf(guessed)

function rightPart(all: readonly Comparison[], guess: Guess, figure: Figure): number {
  const right = all.filter(({ truth, ...guesses }) => {
    const guessed = guesses[guess]
    return guessed && isRight(truth[figure], guessed[figure])
  })
  return right.length / all.length
}

function errorsOf(all: readonly Comparison[], guess: Guess, side: keyof Pair): number[] {
  return all.flatMap(({ truth, ...guesses }) => {
    const guessed = guesses[guess]?.p5[side]
    const happened = truth.p5[side]
    return guessed === undefined ? [] : [Math.abs(guessed - happened) / Math.max(minMbps, happened)]
  })
}

function lineOf(title: string, { clients, truth, predicted, coarse }: Comparison): string {
  const text = ({ p5 }: Comparison['truth']) =>
    `${p5.without.toFixed(2)} to ${p5.changed.toFixed(2)} (${(100 * partOf(p5)).toFixed(0)} %)`
  const verdict = isRight(truth.p5, predicted.p5) ? 'right' : 'wrong'
  const counts = coarse ? `; by counts only ${text(coarse)}` : ''
  return `${title}, ${clients} clients: p5 ${text(truth)}; predicted ${text(predicted)}${counts}; ${verdict}`
}
