import { LRUCache } from 'lru-cache'
import { fieldsOf } from './lines.ts'

const mostNames = 1000
const mostShapes = 8

/** Metric names that an agent sends together. */
interface Shape {
  names: readonly string[]
  /** As lines have them. */
  fields: readonly string[]
}

interface OfAgent {
  /** That it sent last. */
  shapes: Shape[]
  /** Of one that sends many shapes: all its names. */
  names?: Set<string>
}

/**
 * Which metric names an agent has used, so that none can blow up the store. Agents send the same names again and
 * again: a list of names that many of them send (a shape) is kept once, and for each agent the shapes that it sent.
 */
export class MetricNames {
  /** By size: somebody may make up shapes all the time, of long names. */
  readonly #shapes = new LRUCache<string, Shape>({
    maxSize: 32 * 1024 * 1024,
    sizeCalculation: (_, key) => key.length + 1,
  })
  readonly #ofAgent = new LRUCache<string, OfAgent>({ max: 200_000 })

  /** The shape of these names, where this agent has sent it before. */
  known(apId: string, names: readonly string[]): Shape | undefined {
    // Name by name: quicker than to make the key that the shape is kept under.
    return this.#ofAgent.get(apId)?.shapes.find((shape) => isSame(shape.names, names))
  }

  /** Undefined where these would be too many for one agent. */
  learn(apId: string, names: readonly string[]): { shape: Shape; hasNew: boolean } | undefined {
    const agent = this.#ofAgent.get(apId) ?? { shapes: [] }
    const used = agent.names ?? new Set(agent.shapes.flatMap((each) => each.names))
    const before = used.size
    const all = new Set([...used, ...names])
    if (all.size > mostNames) return undefined
    const shape = this.#shapeOf(names)
    agent.shapes.push(shape)
    if (agent.shapes.length > mostShapes) {
      agent.shapes.shift()
      agent.names = all
    } else if (agent.names) agent.names = all
    this.#ofAgent.set(apId, agent)
    return { shape, hasNew: all.size > before }
  }

  #shapeOf(names: readonly string[]): Shape {
    const key = names.join('\0')
    const known = this.#shapes.get(key)
    if (known) return known
    const shape = { names, fields: fieldsOf(names) }
    this.#shapes.set(key, shape)
    return shape
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let n = 0; n < one.length; n++) if (one[n] !== other[n]) return false
  return true
}
