import { type ExperimentFigureValues, experimentFigures } from '@manc/contract'
import { describe, expect, it } from 'vitest'
import type { RunRow } from './experiments.types.ts'
import { isComplete, knownResult, resultsOf } from './results.rules.ts'

const figuresOf = (more: Partial<ExperimentFigureValues>) => ({
  ...(Object.fromEntries(experimentFigures.map((name) => [name, null])) as ExperimentFigureValues),
  ...more,
})

let made = 0
const runOf = (policy: string, seed: string, more: Partial<ExperimentFigureValues> | null): RunRow => ({
  run: ++made,
  policy,
  seed,
  state: more ? 'finished' : 'waiting',
  progressPct: 0,
  attempts: 1,
  detail: null,
  figures: more && figuresOf(more),
})

describe('results of an experiment', () => {
  const runs = [
    runOf('none', 's-1', { p5_mbps: 1 }),
    runOf('none', 's-2', { p5_mbps: 3 }),
    runOf('none', 's-3', null),
    runOf('ours', 's-1', { p5_mbps: 3 }),
    runOf('ours', 's-2', { p5_mbps: 5 }),
    runOf('ours', 's-3', { p5_mbps: 100 }),
  ]

  it('are of the runs that have finished', () => {
    const [none, ours] = resultsOf(['none', 'ours'], runs)
    expect(none).toMatchObject({ policy: 'none', runs: 2, figures: { p5_mbps: { mean: 2, median: 2 } } })
    expect(ours).toMatchObject({ policy: 'ours', runs: 3, figures: { p5_mbps: { mean: 36, median: 5 } } })
  })

  it('compare with the first policy, seed by seed, where both have a result', () => {
    const [none, ours] = resultsOf(['none', 'ours'], runs)
    expect(none?.figures.p5_mbps).toMatchObject({ difference: null, difference_interval: null })
    expect(ours?.figures.p5_mbps).toMatchObject({ difference: 2, difference_interval: 0 })
  })

  it('are null where nothing was measured', () => {
    const [result] = resultsOf(['none'], [runOf('none', 's-1', { kwh: 4 })])
    expect(result?.figures.p5_mbps).toEqual({
      mean: null,
      interval: null,
      median: null,
      p5: null,
      p95: null,
      difference: null,
      difference_interval: null,
    })
    expect(result?.figures.kwh).toMatchObject({ mean: 4, interval: null, p5: 4, p95: 4 })
  })
})

describe('a result of an emulator', () => {
  const series = { step_s: 10, s: [9], mean_mbps: [1], p5_mbps: [1], clients: [2], handovers: [0] }

  it('is stored with what is known only, in one order', () => {
    const figures = figuresOf({ kwh: 1 })
    const reversed = Object.fromEntries(Object.entries({ ...figures, more: 1 }).toReversed())
    const given = { figures: reversed as typeof figures, series: { more: 'x', ...series } }
    expect(JSON.stringify(knownResult(given))).toBe(JSON.stringify({ figures, series }))
  })

  it('is complete where all columns have the same length', () => {
    expect(isComplete(series)).toBe(true)
    expect(isComplete({ ...series, clients: [] })).toBe(false)
  })
})
