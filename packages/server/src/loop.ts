import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Does something again and again, one round at a time, through failures, until it is stopped. */
export class Loop {
  readonly #name: string
  readonly #everyMs: number
  readonly #round: (signal: AbortSignal) => Promise<void>
  readonly #log: Logger
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  #isHurried = false
  #nap = new AbortController()

  constructor(options: {
    name: string
    everyMs: number
    round: (signal: AbortSignal) => Promise<void>
    log: Logger
  }) {
    this.#name = options.name
    this.#everyMs = options.everyMs
    this.#round = options.round
    this.#log = options.log
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** The next round begins at once, or right after the one that runs. */
  hurry(): void {
    this.#isHurried = true
    this.#nap.abort()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    let failing = false
    while (!signal.aborted) {
      this.#isHurried = false
      try {
        await this.#round(signal)
        if (failing) this.#log.info(`${this.#name} works again`)
        failing = false
      } catch (error) {
        // An engine that is down for an hour is one line, not thousands.
        if (!failing) this.#log.warn({ err: error }, `${this.#name} failed; it goes on trying`)
        failing = true
      }
      await this.#sleep(signal)
    }
  }

  async #sleep(stopping: AbortSignal): Promise<void> {
    if (this.#isHurried) return
    this.#nap = new AbortController()
    const signal = AbortSignal.any([stopping, this.#nap.signal])
    await sleep(this.#everyMs, undefined, { signal }).catch(() => {})
  }
}
