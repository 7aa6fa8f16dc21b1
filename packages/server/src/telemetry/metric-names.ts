import { LRUCache } from 'lru-cache'
import { fieldsOf } from './lines.ts'

const mostNames = 1000

/** Metric names that an agent sends together. */
interface Shape {
  names: readonly string[]
  /** As lines have them. */
  fields: readonly string[]
}

/**
 * Which metric names an agent has used, so that none can blow up the store. Agents send the same names again and
 * again: a list of names that many of them send (a shape) is kept once, and for each agent the shapes that it sent.
 */
export class MetricNames {
  readonly #shapes = new LRUCache<string, Shape>({ max: 50_000 })
  readonly #ofAgent = new LRUCache<string, Set<Shape>>({ max: 200_000 })

  /** The shape of these names, where this agent has sent it before. */
  known(apId: string, names: readonly string[]): Shape | undefined {
    const sent = this.#ofAgent.get(apId)
    // Name by name: quicker than to make the key that the shape is kept under.
    if (sent) for (const shape of sent) if (isSame(shape.names, names)) return shape
    return undefined
  }

  /** Undefined where these would be too many for one agent. */
  learn(apId: string, names: readonly string[]): Shape | undefined {
    const shape = this.#shapeOf(names)
    const sent = this.#ofAgent.get(apId) ?? new Set<Shape>()
    const all = new Set([...sent, shape].flatMap((each) => each.names))
    if (all.size > mostNames) return undefined
    // One whose shapes never repeat is remembered by a single shape that has all its names.
    if (sent.size >= 8) {
      sent.clear()
      sent.add({ names: [...all], fields: fieldsOf([...all]) })
    } else sent.add(shape)
    this.#ofAgent.set(apId, sent)
    return shape
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
