/**
 * Look-ups that are asked for in the same turn of the event loop are made as one. A lone one is not delayed;
 * under load, when many requests are read from their sockets in a turn, the engine sees one question for all.
 */
export class Together<Key, Value> {
  readonly #findAll: (keys: Key[]) => Promise<Map<Key, Value>>
  #waiting: { keys: Set<Key>; found: Promise<Map<Key, Value>> } | undefined

  constructor(findAll: (keys: Key[]) => Promise<Map<Key, Value>>) {
    this.#findAll = findAll
  }

  async find(key: Key): Promise<Value | undefined> {
    const { keys, found } = (this.#waiting ??= this.#gather())
    keys.add(key)
    return (await found).get(key)
  }

  #gather() {
    const keys = new Set<Key>()
    const found = new Promise<Map<Key, Value>>((resolve, reject) => {
      setImmediate(() => {
        this.#waiting = undefined
        this.#findAll([...keys]).then(resolve, reject)
      })
    })
    return { keys, found }
  }
}
