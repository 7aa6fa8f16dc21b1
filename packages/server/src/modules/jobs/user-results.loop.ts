import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { JobStore } from './jobs.store.ts'

const intervalMs = 5000

/** The undelivered results of all standard users and agents. Anyone may sign up, so that limits of each do not bound them. */
export class UserResults {
  readonly #maxBytes: number
  readonly #loop: Loop
  #bytes: number | undefined

  constructor(options: {
    store: JobStore
    /** Of one owner: by this limit the store finds their jobs. */
    unreadLimit: number
    maxBytes: number
    log: Logger
  }) {
    const { store, unreadLimit, maxBytes, log } = options
    this.#maxBytes = maxBytes
    this.#loop = new Loop({
      name: 'measuring the results of users',
      intervalMs,
      log,
      run: async () => {
        this.#bytes = await store.unreadBytesOf(unreadLimit)
      },
    })
  }

  /** Undefined until it is measured. */
  get bytes(): number | undefined {
    return this.#bytes
  }

  /** Whether there is space only for results that a connected client waits for. */
  get areTooMany(): boolean {
    return this.#bytes !== undefined && this.#bytes > this.#maxBytes
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }
}
