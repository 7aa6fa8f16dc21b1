import type { ExperimentSeries } from '@manc/sdk'
import { expect, it } from 'vitest'
import { alignedSeries } from './run-series.ts'

const seriesOf = (s: number[], clients: number[]): ExperimentSeries => ({
  step_s: 10,
  s,
  mean_mbps: [],
  p5_mbps: [],
  clients,
  handovers: [],
})

it('runs are shown at the same times from their start', () => {
  expect(alignedSeries(seriesOf([9, 19], [1, 2]), seriesOf([9, 29], [3, 4]), 'clients')).toEqual([
    [9000, 19_000, 29_000],
    [1, 2, null],
    [3, null, 4],
  ])
})
