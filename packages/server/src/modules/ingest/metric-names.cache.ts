import { LRUCache } from 'lru-cache'
import { HealthPlan } from '../fleet/index.ts'
import { fieldsOf } from './influx-line.format.ts'

const maxShapesPerAgent = 8

/** The metric names of a sample, in its order. */
interface Shape {
  names: readonly string[]
  /** The names as fields of a line. */
  fields: readonly string[]
  plan: HealthPlan
}

interface AgentNames {
  /** The newest, at most 8. */
  shapes: Shape[]
  /** All its names, once there were more shapes. */
  names?: Set<string>
}

/**
 * The metric names of each agent, to limit the number of series that one agent can create. Agents send the same names
 * in every sample, and many agents send the same ones: each list of names (a shape) is cached once, with its fields.
 */
export class MetricNames {
  readonly #maxNames: number
  /** Limited by size: a faulty agent may send new, long names in every sample. */
  readonly #shapes = new LRUCache<string, Shape>({
    maxSize: 32 * 1024 * 1024,
    sizeCalculation: (_, key) => key.length + 1,
  })
  readonly #ofAgent = new LRUCache<string, AgentNames>({ max: 200_000 })

  constructor(maxNames: number) {
    this.#maxNames = maxNames
  }

  /** The shape of these names if this agent has sent it before. */
  find(apId: string, names: readonly string[]): Shape | undefined {
    // Comparing name by name is faster than building the key of the shape cache.
    return this.#ofAgent.get(apId)?.shapes.find((shape) => isSame(shape.names, names))
  }

  /** Undefined if the agent would have too many names. */
  add(apId: string, names: readonly string[]): { shape: Shape; hasNewNames: boolean } | undefined {
    const agent = this.#ofAgent.get(apId) ?? { shapes: [] }
    const used = agent.names ?? new Set(agent.shapes.flatMap((each) => each.names))
    const before = used.size
    const all = new Set([...used, ...names])
    if (all.size > this.#maxNames) return undefined
    const shape = this.#shapeOf(names)
    agent.shapes.push(shape)
    if (agent.shapes.length > maxShapesPerAgent) {
      agent.shapes.shift()
      agent.names = all
    } else if (agent.names) agent.names = all
    this.#ofAgent.set(apId, agent)
    return { shape, hasNewNames: all.size > before }
  }

  #shapeOf(names: readonly string[]): Shape {
    const key = names.join('\0')
    const known = this.#shapes.get(key)
    if (known) return known
    const shape = { names, fields: fieldsOf(names), plan: new HealthPlan(names) }
    this.#shapes.set(key, shape)
    return shape
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let n = 0; n < one.length; n++) if (one[n] !== other[n]) return false
  return true
}
