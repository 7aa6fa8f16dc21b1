import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Runs a task at an interval, one run at a time, until it is stopped. A failed run is logged and retried. */
export class Loop {
  readonly #name: string
  readonly #intervalMs: number
  readonly #task: (signal: AbortSignal) => Promise<void>
  readonly #log: Logger
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  #runsAgain = false
  #pause = new AbortController()

  constructor(options: {
    name: string
    intervalMs: number
    run: (signal: AbortSignal) => Promise<void>
    log: Logger
  }) {
    this.#name = options.name
    this.#intervalMs = options.intervalMs
    this.#task = options.run
    this.#log = options.log
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Starts the next run immediately, or right after the current one. */
  runNow(): void {
    this.#runsAgain = true
    this.#pause.abort()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    let isFailing = false
    while (!signal.aborted) {
      this.#runsAgain = false
      try {
        await this.#task(signal)
        if (isFailing) this.#log.info(`${this.#name} works again`)
        isFailing = false
      } catch (error) {
        // Logged once per outage, not once per run.
        if (!isFailing) this.#log.warn({ err: error }, `${this.#name} failed; retrying`)
        isFailing = true
      }
      await this.#sleep(signal)
    }
  }

  async #sleep(stopping: AbortSignal): Promise<void> {
    if (this.#runsAgain) return
    this.#pause = new AbortController()
    const signal = AbortSignal.any([stopping, this.#pause.signal])
    await sleep(this.#intervalMs, undefined, { signal }).catch(() => {})
  }
}
