import type { Logger } from 'pino'
import type { EmulationStore } from './emulations.store.ts'
import type { PartPublisher } from './parts.publisher.ts'

interface Options {
  store: EmulationStore
  publisher: PartPublisher
  /** A part that no emulator has taken by then has failed. */
  waitS: number
  log: Logger
}

/** Watches over the leases on parts. */
export class LeaseService {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** Publishes parts with an expired lease again, and fails those that no emulator runs in time. */
  async expire(): Promise<void> {
    const { store, publisher, waitS, log } = this.#options
    for (const part of await store.partsWithExpiredLease())
      await publisher.publishAgain(part).catch((error: unknown) =>
        // The broker is unreachable: retried with the next poll, without delaying the other parts.
        log.debug({ err: error, job: part.jobNumber }, 'a part is published again later'),
      )
    await store.failOverdueParts(waitS)
  }
}
