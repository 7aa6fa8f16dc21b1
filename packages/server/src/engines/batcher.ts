/**
 * Combines look-ups of one turn of the event loop into one query. A single look-up is not delayed; under load, when many
 * requests are read from their sockets in one turn, the engine gets one query for all of them.
 */
export class Batcher<Key, Value> {
  readonly #findAll: (keys: Key[]) => Promise<Map<Key, Value>>
  #batch: { keys: Set<Key>; found: Promise<Map<Key, Value>> } | undefined

  constructor(findAll: (keys: Key[]) => Promise<Map<Key, Value>>) {
    this.#findAll = findAll
  }

  async find(key: Key): Promise<Value | undefined> {
    const { keys, found } = (this.#batch ??= this.#newBatch())
    keys.add(key)
    return (await found).get(key)
  }

  #newBatch() {
    const keys = new Set<Key>()
    const found = new Promise<Map<Key, Value>>((resolve, reject) => {
      setImmediate(() => {
        this.#batch = undefined
        this.#findAll([...keys]).then(resolve, reject)
      })
    })
    return { keys, found }
  }
}
