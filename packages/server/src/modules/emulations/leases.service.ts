import type { Logger } from 'pino'
import type { EmulationStore } from './emulations.store.ts'
import type { PartPublisher } from './parts.publisher.ts'
import { RepeatedFailures } from './repeated-failures.rules.ts'

interface Options {
  store: EmulationStore
  publisher: PartPublisher
  /** A part that no emulator has taken by then has failed. */
  waitS: number
  log: Logger
}

/** A broker that is unreachable for a moment is normal. */
const warnAfter = 10

/** Renews and expires leases on parts. */
export class LeaseService {
  readonly #options: Options
  readonly #failures = new RepeatedFailures()

  constructor(options: Options) {
    this.#options = options
  }

  /** Publishes parts with an expired lease again, and fails those that no emulator runs in time. */
  async expire(): Promise<void> {
    const { store, publisher, waitS, log } = this.#options
    const failed: string[] = []
    for (const part of await store.partsWithExpiredLease())
      await publisher.publishAgain(part).catch((error: unknown) => {
        // The broker is unreachable: retried with the next poll, without delaying the other parts.
        const work = `${part.jobNumber} ${part.part}`
        failed.push(work)
        const level = this.#failures.add(work) === warnAfter ? 'warn' : 'debug'
        log[level]({ err: error, job: part.jobNumber }, 'a part is published again later')
      })
    this.#failures.keep(failed)
    await store.failOverdueParts(waitS)
  }
}
