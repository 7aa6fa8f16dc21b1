import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Delivery, Inbox, Subscriber } from '../../engines/rabbitmq/index.ts'
import { Text } from './text.ts'

/** Messages that are written together and acknowledged together. */
interface Batch {
  lines: Text
  messages: number
  bytes: number
  lastTag: number
  /** Copies of what could not be stored, on their way to the dead letters. */
  setAside: (() => Promise<void>)[]
  /** When the store answered for it; undefined while it has not, or has forgotten it again. */
  writtenAt: number | undefined
}

interface Digested {
  lines: string
  setAside: (() => Promise<void>)[]
}

interface Parts {
  queue: string
  prefetch: number
  /** Beyond this the queue has to wait, however few messages it is. */
  mostHeldBytes: number
  digest: (delivery: Delivery) => Digested
  write: (lines: Uint8Array) => Promise<void>
  /** The store's clock, and whether what was written then is safe by now. */
  writtenNow: () => number
  isSafe: (writtenAt: number) => boolean
  log: Logger
}

const mostMessages = 1000
const mostBytes = 512 * 1024
const oldestMs = 200
const mostSetAsideAtOnce = 1000

/**
 * One queue on its way into the store. Batches are written one after the other; each is held, with its text, until
 * it is safe, and only then acknowledged. A store that is slow or down holds the batches up, then the prefetch is
 * used up, then the queue grows: nothing is dropped anywhere.
 */
export class Intake implements Subscriber {
  readonly queue: string
  readonly prefetch: number
  readonly #parts: Parts
  #inbox: Inbox | undefined
  #open: Batch | undefined
  #held: Batch[] = []
  #heldBytes = 0
  #heldMessages = 0
  #writing = false
  #paused = false
  #generation = 0
  #timer: NodeJS.Timeout | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.queue = parts.queue
    this.prefetch = parts.prefetch
  }

  /** Whether everything that is in the queue has come: the broker holds nothing back, and neither do we. */
  get isCurrent(): boolean {
    return this.#inbox !== undefined && !this.#paused && this.#heldMessages < this.prefetch
  }

  opened(inbox: Inbox): void {
    this.#forgetAll()
    this.#inbox = inbox
  }

  /** The broker will send again what was not acknowledged; written twice it reads back once. */
  closed(): void {
    this.#forgetAll()
    this.#inbox = undefined
  }

  received(delivery: Delivery): void {
    const { lines, setAside } = this.#parts.digest(delivery)
    const batch = (this.#open ??= emptyBatch())
    const written = batch.lines.add(lines)
    batch.messages += 1
    this.#heldMessages += 1
    // Of the message itself nothing is held, unless a copy of it is to be set aside.
    const bytes = written + (setAside.length > 0 ? delivery.content.length : 0)
    batch.bytes += bytes
    batch.lastTag = delivery.tag
    batch.setAside.push(...setAside)
    this.#heldBytes += bytes
    if (!this.#paused && this.#heldBytes > this.#parts.mostHeldBytes) {
      this.#paused = true
      this.#inbox?.pause()
    }
    if (batch.messages >= mostMessages || batch.bytes >= mostBytes) this.#close()
    else this.#timer ??= setTimeout(() => this.#close(), oldestMs)
  }

  /** Writes everything again that the store may have forgotten. */
  rewrite(): void {
    this.#generation += 1
    for (const batch of this.#held) batch.writtenAt = undefined
    this.#drain()
  }

  /** Acknowledges, in order, what has become safe. */
  release(): void {
    let safe = 0
    while (this.#isSafe(this.#held[safe])) safe += 1
    const last = this.#held[safe - 1]
    if (!last) return
    for (const { bytes, messages } of this.#held.splice(0, safe)) {
      this.#heldBytes -= bytes
      this.#heldMessages -= messages
    }
    this.#inbox?.acknowledgeUpTo(last.lastTag)
    if (this.#paused && this.#heldBytes < this.#parts.mostHeldBytes / 2) {
      this.#paused = false
      this.#inbox?.resume()
    }
  }

  #isSafe(batch: Batch | undefined): boolean {
    return batch?.writtenAt !== undefined && this.#parts.isSafe(batch.writtenAt)
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#open) {
      this.#open.lines.close()
      this.#held.push(this.#open)
    }
    this.#open = undefined
    this.#drain()
  }

  #drain(): void {
    if (this.#writing) return
    this.#writing = true
    void this.#writeAll().finally(() => {
      this.#writing = false
    })
  }

  async #writeAll(): Promise<void> {
    for (let batch = this.#nextUnwritten(); batch; batch = this.#nextUnwritten()) {
      const generation = this.#generation
      try {
        // A few at a time: the broker's door takes only so many at once, and what has passed it is not put again.
        for (; batch.setAside.length > 0; batch.setAside.splice(0, mostSetAsideAtOnce))
          await Promise.all(batch.setAside.slice(0, mostSetAsideAtOnce).map((put) => put()))
        if (batch.lines.bytes.length > 0) await this.#parts.write(batch.lines.bytes)
        // Unless the store has restarted meanwhile, and nobody knows which of the two lives has it.
        if (generation === this.#generation) batch.writtenAt = this.#parts.writtenNow()
      } catch (error) {
        this.#parts.log.warn({ err: error, queue: this.queue }, 'a batch could not be written; trying again')
        await sleep(500)
      }
    }
  }

  #nextUnwritten(): Batch | undefined {
    return this.#held.find(({ writtenAt }) => writtenAt === undefined)
  }

  #forgetAll(): void {
    this.#generation += 1
    this.#paused = false
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#open = undefined
    this.#held = []
    this.#heldBytes = 0
    this.#heldMessages = 0
  }
}

const emptyBatch = (): Batch => ({
  lines: new Text(),
  messages: 0,
  bytes: 0,
  lastTag: 0,
  setAside: [],
  writtenAt: undefined,
})
