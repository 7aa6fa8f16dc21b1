import { expect, it } from 'vitest'
import { phasesOf } from './emulation-phases.ts'
import { scenarios } from './emulator.ts'

it('phases are in order and within the duration, for short and long emulations', () => {
  for (const scenario of scenarios)
    for (const durationS of [1, 60, 86_400]) {
      const times = phasesOf(scenario, durationS).map(({ afterS }) => afterS)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      expect(times.every((afterS) => afterS >= 0 && afterS < durationS)).toBe(true)
    }
  expect(phasesOf('backhaul_cut', 100)).toEqual([
    { phase: 'backhaul_cut', afterS: 40 },
    { phase: 'backhaul_restored', afterS: 60 },
  ])
  expect(phasesOf('daily', 100)).toEqual([])
})
