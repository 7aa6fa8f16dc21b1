import type { ExperimentWorldName, SteeringPolicyName } from '@manc/contract'
import { type Mean, meanOf } from '@manc/contract/statistics'
import type { Figures } from '@manc/emulator/experiment'

type Results = Map<ExperimentWorldName, Map<SteeringPolicyName, Map<string, Figures>>>

/** The figures of all runs, by world, policy and seed. */
export class Summary {
  readonly #results: Results = new Map()

  add(world: ExperimentWorldName, policy: SteeringPolicyName, seed: string, figures: Figures): void {
    const policies = this.#results.get(world) ?? new Map<SteeringPolicyName, Map<string, Figures>>()
    const seeds = policies.get(policy) ?? new Map<string, Figures>()
    this.#results.set(world, policies.set(policy, seeds.set(seed, figures)))
  }

  meanOf(world: ExperimentWorldName, policy: SteeringPolicyName, figure: keyof Figures): Mean {
    return meanOf(this.#valuesOf(world, policy, figure))
  }

  /** Of the same seeds, one by one: what both have in common cancels out. */
  ratioOf(
    world: ExperimentWorldName,
    policy: SteeringPolicyName,
    other: SteeringPolicyName,
    figure: keyof Figures,
  ): Mean {
    const others = this.#valuesOf(world, other, figure)
    return meanOf(this.#valuesOf(world, policy, figure).map((value, n) => value / (others[n] ?? Number.NaN)))
  }

  #valuesOf(world: ExperimentWorldName, policy: SteeringPolicyName, figure: keyof Figures): number[] {
    const seeds = [...(this.#results.get(world)?.get(policy) ?? [])]
    return seeds.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, figures]) => figures[figure])
  }
}
