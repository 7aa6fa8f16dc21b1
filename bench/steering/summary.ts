import type { Figures } from './metrics.ts'
import type { PolicyName } from './policies.ts'
import type { SiteName } from './worlds.ts'

interface Mean {
  mean: number
  /** Half of the 95 % interval. */
  interval: number
}

/** Two-sided 95 % quantiles of Student's distribution, by degrees of freedom from 1 on. */
const student = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086,
]

/** The mean over seeds, with its 95 % interval; 0 for a single seed, of which none is known. */
function meanOf(values: readonly number[]): Mean {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  if (count < 2) return { mean, interval: 0 }
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1)
  return { mean, interval: (student[count - 2] ?? 1.96) * Math.sqrt(variance / count) }
}

type Results = Map<SiteName, Map<PolicyName, Map<string, Figures>>>

/** The figures of all runs, by world, policy and seed. */
export class Summary {
  readonly #results: Results = new Map()

  add(site: SiteName, policy: PolicyName, seed: string, figures: Figures): void {
    const policies = this.#results.get(site) ?? new Map<PolicyName, Map<string, Figures>>()
    const seeds = policies.get(policy) ?? new Map<string, Figures>()
    this.#results.set(site, policies.set(policy, seeds.set(seed, figures)))
  }

  meanOf(site: SiteName, policy: PolicyName, figure: keyof Figures): Mean {
    return meanOf(this.#valuesOf(site, policy, figure))
  }

  /** Of the same seeds, one by one: what both have in common cancels out. */
  ratioOf(site: SiteName, policy: PolicyName, other: PolicyName, figure: keyof Figures): Mean {
    const others = this.#valuesOf(site, other, figure)
    return meanOf(this.#valuesOf(site, policy, figure).map((value, n) => value / (others[n] ?? Number.NaN)))
  }

  #valuesOf(site: SiteName, policy: PolicyName, figure: keyof Figures): number[] {
    const seeds = [...(this.#results.get(site)?.get(policy) ?? [])]
    return seeds.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, figures]) => figures[figure])
  }
}
