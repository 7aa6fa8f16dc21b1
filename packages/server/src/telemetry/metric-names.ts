import { LRUCache } from 'lru-cache'

const mostNames = 1000

/**
 * Which metric names an agent has used, so that none can blow up the store. Agents send the same names again and
 * again: a list of names that many of them send (a shape) is kept once, and for each agent the shapes that it sent.
 */
export class MetricNames {
  readonly #shapes = new LRUCache<string, readonly string[]>({ max: 50_000 })
  readonly #ofAgent = new LRUCache<string, Set<readonly string[]>>({ max: 200_000 })

  /** `new` means that the store has to make series. */
  judge(apId: string, names: readonly string[]): 'known' | 'new' | 'too many' {
    const sent = this.#ofAgent.get(apId) ?? new Set<readonly string[]>()
    // Nearly always one of these, name by name: quicker than to make the key that the shape is kept under.
    for (const shape of sent) if (isSame(shape, names)) return 'known'
    const shape = this.#shapeOf(names)
    const all = new Set([...sent, shape].flat())
    if (all.size > mostNames) return 'too many'
    // One whose shapes never repeat is remembered by a single shape that has all its names.
    if (sent.size >= 8) {
      sent.clear()
      sent.add([...all])
    } else sent.add(shape)
    this.#ofAgent.set(apId, sent)
    return 'new'
  }

  #shapeOf(names: readonly string[]): readonly string[] {
    const key = names.join('\0')
    const known = this.#shapes.get(key)
    if (known) return known
    this.#shapes.set(key, names)
    return names
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let n = 0; n < one.length; n++) if (one[n] !== other[n]) return false
  return true
}
