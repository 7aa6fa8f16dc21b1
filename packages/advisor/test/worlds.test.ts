import { describe, expect, it } from 'vitest'
import { policyNames } from '../../../bench/steering/policies.ts'
import { runOne } from '../../../bench/steering/run-one.ts'

describe('a run of a policy', () => {
  it('gives the same figures for the same seed', () => {
    for (const site of ['factory_hall', 'campus_day'] as const) {
      const run = { site, policy: 'energy_first', seed: 'same', part: 0.05 } as const
      expect(runOne(run)).toEqual(runOne(run))
    }
  })

  it('delivers no more than was asked for, whatever the policy', () => {
    for (const policy of policyNames) {
      const figures = runOne({ site: 'lecture_rush', policy, seed: 'bounds', part: 0.3 })
      expect(figures.p5_mbps).toBeLessThanOrEqual(figures.asked_p5_mbps)
      expect(figures.mean_mbps).toBeGreaterThan(figures.p5_mbps)
    }
  })

  it('with best experience improves the p5 of a lecture, with fewer ping-pongs than without', () => {
    const [without, ours] = (['none', 'best_experience'] as const).map((policy) =>
      runOne({ site: 'lecture_rush', policy, seed: 'better', part: 1 }),
    )
    expect(ours?.p5_mbps).toBeGreaterThan(1.3 * (without?.p5_mbps ?? Number.NaN))
    expect(ours?.ping_pongs).toBeLessThan(without?.ping_pongs ?? Number.NaN)
    expect(ours?.outage_s).toBeLessThan(without?.outage_s ?? Number.NaN)
  })
})
