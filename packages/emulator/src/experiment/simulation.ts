import type { Policy } from '@manc/advisor'
import { World } from '../world/index.ts'
import { type Figures, Metrics } from './metrics.ts'
import { Observer } from './observer.ts'
import type { Series } from './series.ts'
import type { BuiltWorld } from './worlds.ts'

interface Simulation {
  world: BuiltWorld
  seed: string
  /** Undefined: clients decide by themselves. */
  policy: Policy | undefined
  /** Executed once, when the warm-up of the first slice is over. */
  command?: { apId: string; text: string } | undefined
  series?: Series
  /** Called after each simulated second. */
  onSecond?: () => void
}

/** Simulated seconds of a world. */
export const secondsOf = ({ slices }: BuiltWorld): number =>
  slices.reduce((sum, { fromS, toS }) => sum + toS - fromS, 0)

/** One world with one policy, as fast as possible. The same input gives the same figures. */
export function simulate({
  world: { spec, slices, isSteeredLate = false },
  seed,
  policy,
  command,
  series,
  onSecond,
}: Simulation): Figures {
  const observer = new Observer(spec)
  const metrics = new Metrics()
  const commandS = slices[0]?.measuredS
  for (const { fromS, measuredS, toS } of slices) {
    const world = new World(spec, seed, { fromS })
    observer.begin(world)
    metrics.begin(world, measuredS)
    series?.begin(world)
    for (let s = fromS; s < toS; s++) {
      world.step()
      observer.observe()
      metrics.record(observer.view, observer.watts)
      series?.record()
      onSecond?.()
      if (command && s + 1 === commandS) world.command(command.apId, command.text)
      if (isSteeredLate && s + 1 < measuredS) continue
      const proposals = policy?.decide(observer.view) ?? []
      if (proposals.length === 0) continue
      const outcomes = observer.execute(proposals)
      metrics.recordRefused(outcomes.filter(({ done }) => !done).length)
      policy?.learn?.(outcomes, observer.view)
    }
    metrics.end()
    series?.end()
  }
  return metrics.figures()
}
