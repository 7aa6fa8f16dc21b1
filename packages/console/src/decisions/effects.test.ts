import type { Decision } from '@manc/sdk'
import { expect, it } from 'vitest'
import { effectsOf } from './effects.ts'

const effectOf = (
  kpi: Decision['expected'][number]['kpi'],
  [from, to]: [number | null, number],
  measured?: [number | null, number | null],
) =>
  effectsOf({
    expected: [{ ap_id: 'a', kpi, from, to }],
    measured: measured ? [{ ap_id: 'a', kpi, before: measured[0], after: measured[1] }] : null,
  })[0]

it('is not known before the measurement', () => {
  expect(effectOf('load_pct', [90, 60])).toMatchObject({ measured: undefined, direction: undefined })
})

it('is better or worse by the direction of the KPI', () => {
  expect(effectOf('load_pct', [90, 60], [90, 70])?.direction).toBe('better')
  expect(effectOf('load_pct', [90, 60], [90, 95])?.direction).toBe('worse')
  expect(effectOf('throughput_mbps', [10, 20], [10, 15])?.direction).toBe('better')
  expect(effectOf('throughput_mbps', [10, 20], [10, 10])?.direction).toBe('unchanged')
})

it('has no direction for a KPI of which no value is better, and without a sample', () => {
  expect(effectOf('clients', [10, 5], [10, 5])?.direction).toBeUndefined()
  expect(effectOf('load_pct', [90, 60], [null, 60])?.direction).toBeUndefined()
})

it('is compared with the expected change', () => {
  expect(effectOf('load_pct', [90, 60], [88, 73])?.achievedPct).toBe(50)
  expect(effectOf('load_pct', [90, 60], [88, 91])?.achievedPct).toBe(-10)
  expect(effectOf('load_pct', [null, 60], [88, 73])?.achievedPct).toBeUndefined()
  expect(effectOf('load_pct', [60, 60], [60, 61])?.achievedPct).toBeUndefined()
})

it('is that of its access point and its KPI', () => {
  const found = effectsOf({
    expected: [
      { ap_id: 'a', kpi: 'load_pct', from: 9, to: 6 },
      { ap_id: 'b', kpi: 'load_pct', from: 3, to: 5 },
    ],
    measured: [{ ap_id: 'b', kpi: 'load_pct', before: 3, after: 4 }],
  })
  expect(found.map(({ measured }) => measured)).toEqual([undefined, { before: 3, after: 4 }])
})
