import { type Copy, copyOf } from './batch-copies.rules.ts'
import { minutesOf } from './influx-line.format.ts'
import { LinesBuffer } from './lines.buffer.ts'
import type { DeadLetter } from './sample-messages.service.ts'

/** What a batch needs to know of a metrics store. */
export interface BatchStore {
  readonly name: string
  /** Whether it has not answered for so long that other stores go on without it. */
  readonly isOut: boolean
  /** Its uptime now, and whether a write at that time is durable. */
  readonly writtenAt: number
  isDurable(writtenAt: number): boolean
  write(lines: Uint8Array): Promise<void>
}

/** A batch that is durable in one store, but missing from others. */
export interface IncompleteBatch {
  /** Names of stores. */
  source: string
  missingFrom: string[]
  minutes: readonly number[]
  /** To be called when it is recorded which stores miss the batch. */
  recorded(): void
}

const maxConcurrentPublishes = 1000

/** Messages that are written and acknowledged as one. */
export class Batch {
  /** Undefined: released after the write. */
  lines: LinesBuffer | undefined = new LinesBuffer()
  messages = 0
  bytes = 0
  lastTag = 0
  /** When the first message arrived. */
  readonly since = performance.now()
  /** Samples that could not be stored, to be published to the dead-letter exchange. */
  readonly deadLetters: DeadLetter[] = []
  /** By store: when it acknowledged the write; undefined: not written, or lost by a restart of the store. */
  readonly writtenAt: (number | undefined)[]
  /** By store: whether it is recorded that this store misses the batch. */
  readonly #isRecorded: boolean[]
  /** Once it is released. */
  #minutes: number[] = []
  #publishing: Promise<void> | undefined

  constructor(stores: number) {
    this.writtenAt = Array.from({ length: stores }, () => undefined)
    this.#isRecorded = Array.from({ length: stores }, () => false)
  }

  get isWrittenAnywhere(): boolean {
    return this.writtenAt.some((at) => at !== undefined)
  }

  copies(stores: readonly BatchStore[]): Copy[] {
    return stores.map((store, n) => {
      const writtenAt = this.writtenAt[n]
      return copyOf({
        isDurable: writtenAt !== undefined && store.isDurable(writtenAt),
        isOut: store.isOut,
        canBeWritten: writtenAt !== undefined || this.lines !== undefined,
      })
    })
  }

  /** Whether it may be acknowledged. */
  isComplete(stores: readonly BatchStore[]): boolean {
    const copies = this.copies(stores)
    return copies.includes('durable') && copies.every((copy, n) => copy === 'durable' || this.#isRecorded[n])
  }

  /** Undefined if it is recorded which stores miss it, or if none does. */
  incomplete(stores: readonly BatchStore[]): IncompleteBatch | undefined {
    const copies = this.copies(stores)
    const isUnrecorded = (n: number) => copies[n] === 'missing' && !this.#isRecorded[n]
    const missing = [...stores.keys()].filter(isUnrecorded)
    if (missing.length === 0) return undefined
    return {
      source: stores[copies.indexOf('durable')]?.name ?? '',
      missingFrom: stores.filter((_, n) => missing.includes(n)).map(({ name }) => name),
      minutes: this.lines ? minutesOf(this.lines.bytes) : this.#minutes,
      recorded: () => {
        for (const n of missing) this.#isRecorded[n] = true
      },
    }
  }

  /** Frees the memory of a batch that was written. Returns the number of bytes. */
  release(): number {
    const { bytes, lines } = this
    // One of several stores may have to be repaired later.
    if (lines && this.writtenAt.length > 1) this.#minutes = minutesOf(lines.bytes)
    this.bytes = 0
    this.lines = undefined
    return bytes
  }

  /** Once, although each store has its own writer. Those that were confirmed are removed: a retry skips them. */
  publishDeadLetters(): Promise<void> {
    this.#publishing ??= publishAll(this.deadLetters).finally(() => {
      this.#publishing = undefined
    })
    return this.#publishing
  }
}

/** The adapter limits unconfirmed publishes. */
async function publishAll(deadLetters: DeadLetter[]): Promise<void> {
  for (; deadLetters.length > 0; deadLetters.splice(0, maxConcurrentPublishes))
    await Promise.all(deadLetters.slice(0, maxConcurrentPublishes).map((publish) => publish()))
}
