import { setTimeout as sleep } from 'node:timers/promises'
import { sqlAt } from '@manc/harness'

export interface Part {
  job: string
  part: number
}

interface Held extends Part {
  emulator: string
  leasedUntil: Date
  now: Date
}

const pollIntervalMs = 200
const nameOf = ({ job, part }: Part) => `${job} ${part}`

/** Polls which emulator holds the lease of each part of some jobs. */
export class PartObserver {
  /** Parts that an emulator took while the lease of another was still valid. */
  readonly faults: string[] = []
  /** The emulators that held each part, in order. */
  readonly holders = new Map<string, string[]>()
  readonly #last = new Map<string, Held>()
  readonly #allowed = new Set<string>()
  readonly #work: Promise<void>
  #isStopped = false

  constructor(databaseUrl: string, jobs: string[]) {
    this.#work = this.#watch(databaseUrl, jobs)
    // `stop` rejects with the error.
    this.#work.catch(() => {})
  }

  /** Another emulator may take this part once although the lease is still valid. */
  allow(part: Part): void {
    this.#allowed.add(nameOf(part))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#work
  }

  async #watch(databaseUrl: string, jobs: string[]): Promise<void> {
    while (!this.#isStopped) {
      const { rows } = await sqlAt(
        databaseUrl,
        `select job_number as job, part, emulator, leased_until as "leasedUntil", now() as now from emulation_parts
         where job_number = any($1) and emulator is not null`,
        [jobs],
      )
      for (const held of rows as Held[]) this.#observe(held)
      await sleep(pollIntervalMs)
    }
  }

  #observe(held: Held): void {
    const name = nameOf(held)
    const { emulator, now } = held
    const before = this.#last.get(name)
    this.#last.set(name, held)
    if (before?.emulator === emulator) return
    this.holders.set(name, [...(this.holders.get(name) ?? []), emulator])
    if (before && before.leasedUntil > now && !this.#allowed.delete(name))
      this.faults.push(`${name}: ${emulator} took it before the lease of ${before.emulator} expired`)
  }
}
