import { World } from '@manc/emulator/world'
import { type Figures, Metrics } from './metrics.ts'
import { Observer } from './observer.ts'
import { type PolicyName, policyOf } from './policies.ts'
import { type SiteName, siteOf } from './worlds.ts'

export interface Run {
  site: SiteName
  policy: PolicyName
  seed: string
  /** Of the duration of the world. */
  part: number
}

/** One world with one policy, as fast as possible. */
export function runOne({ site, policy: name, seed, part }: Run): Figures {
  const { spec, slices } = siteOf(site, seed, part)
  const observer = new Observer(spec)
  const metrics = new Metrics()
  const policy = policyOf(name)
  for (const { fromS, measuredS, toS } of slices) {
    const world = new World(spec, seed, { fromS })
    observer.begin(world)
    metrics.begin(world, measuredS)
    for (let s = fromS; s < toS; s++) {
      world.step()
      observer.observe()
      metrics.record(observer.view, observer.watts)
      const proposals = policy?.decide(observer.view) ?? []
      if (proposals.length === 0) continue
      const outcomes = observer.execute(proposals)
      metrics.refused += outcomes.filter(({ done }) => !done).length
      policy?.learn?.(outcomes, observer.view)
    }
    metrics.end()
  }
  return metrics.figures()
}
