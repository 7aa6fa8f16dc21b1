import type { Logger } from 'pino'
import type { Part, PartSource } from './parts.types.ts'

/** However often the health is requested. */
const defaultKeepMs = 3000
/** A response never waits longer for an engine. */
const timeoutMs = 2000

/** Reads a part: one reading at a time, which all requests share. */
export class CachedPart {
  readonly #source: PartSource
  readonly #log: Logger
  #reading: { part: Promise<Part>; startedAt: number } | undefined
  #last: { part: Part; readAt: number } | undefined
  #isFailing = false

  constructor(source: PartSource, log: Logger) {
    this.#source = source
    this.#log = log
  }

  async read(): Promise<Part> {
    const { keepMs = defaultKeepMs } = this.#source
    const now = performance.now()
    if (this.#last && now - this.#last.readAt < keepMs) return this.#last.part
    this.#reading ??= { part: this.#start(), startedAt: now }
    const { part, startedAt } = this.#reading
    // A reading that hangs was waited for by the first request.
    return firstOf(part, startedAt + timeoutMs - now, () =>
      this.#unknown('The engine that has this figure does not answer.'),
    )
  }

  async #start(): Promise<Part> {
    const { id, name, read } = this.#source
    try {
      const part = { id, name, ...(await read()) }
      this.#isFailing = false
      this.#last = { part, readAt: performance.now() }
      return part
    } catch (error) {
      // Logged once per outage, not once per request.
      if (!this.#isFailing) this.#log.warn({ err: error, part: id }, 'a part of the health could not be read')
      this.#isFailing = true
      return this.#unknown('It could not be read: the log of this process has the error.')
    } finally {
      this.#reading = undefined
    }
  }

  #unknown(reason: string): Part {
    const { id, name } = this.#source
    return { id, name, state: 'unknown', reason, nextStep: 'Look at the engines that do not answer.' }
  }
}

async function firstOf<T>(result: Promise<T>, waitMs: number, otherwise: () => T): Promise<T> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, Math.max(0, waitMs), undefined)
  try {
    return (await Promise.race([result, timeout])) ?? otherwise()
  } finally {
    clearTimeout(timer)
  }
}
