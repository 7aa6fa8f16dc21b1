import { LRUCache } from 'lru-cache'

/** One chart that asks once a second, give or take a little, gets a new answer every time … */
const keepAloneMs = 900
/** … and what several charts ask for is read at most once a second, however many they are. */
const keepSharedMs = 1000

interface Reading {
  answer: Promise<string>
  begunAtMs: number
  isShared: boolean
}

/** Charts that ask the same question share its answer: while it is being read, and for a short while afterwards. */
export class SharedReads {
  readonly #begun = new Map<string, Reading>()
  readonly #done: LRUCache<string, Reading>

  constructor(limits: { mostAnswers: number; mostBytes: number }) {
    this.#done = new LRUCache({ max: limits.mostAnswers, maxSize: limits.mostBytes })
  }

  async read(question: string, read: () => Promise<string>): Promise<string> {
    const known = this.#begun.get(question) ?? this.#done.get(question)
    if (known && isFresh(known)) {
      known.isShared = true
      return known.answer
    }
    const reading: Reading = { answer: read(), begunAtMs: Date.now(), isShared: false }
    this.#begun.set(question, reading)
    try {
      const { length } = await reading.answer
      this.#done.set(question, reading, { size: length + question.length })
    } finally {
      if (this.#begun.get(question) === reading) this.#begun.delete(question)
    }
    return reading.answer
  }
}

/** From when it was begun: that is how old its news are. Not fresh either after a clock was set back. */
function isFresh({ begunAtMs, isShared }: Reading): boolean {
  const ageMs = Date.now() - begunAtMs
  return ageMs >= 0 && ageMs < (isShared ? keepSharedMs : keepAloneMs)
}
