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

const everyMs = 200
const nameOf = ({ job, part }: Part) => `${job} ${part}`

/** Looks at who has each part of some jobs, all the time. */
export class PartWitness {
  /** Parts that somebody had while they were still somebody else's. */
  readonly faults: string[] = []
  /** Of each part in order: those who had it. */
  readonly holders = new Map<string, string[]>()
  readonly #last = new Map<string, Held>()
  readonly #given = new Set<string>()
  readonly #work: Promise<void>
  #isStopped = false

  constructor(databaseUrl: string, jobs: string[]) {
    this.#work = this.#watch(databaseUrl, jobs)
    // Told by `stop`.
    this.#work.catch(() => {})
  }

  /** From now on another may have this part, once. */
  allow(part: Part): void {
    this.#given.add(nameOf(part))
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
      for (const held of rows as Held[]) this.#see(held)
      await sleep(everyMs)
    }
  }

  #see(held: Held): void {
    const name = nameOf(held)
    const { emulator, now } = held
    const before = this.#last.get(name)
    this.#last.set(name, held)
    if (before?.emulator === emulator) return
    this.holders.set(name, [...(this.holders.get(name) ?? []), emulator])
    if (before && before.leasedUntil > now && !this.#given.delete(name))
      this.faults.push(`${name}: ${emulator} had it before ${before.emulator} had lost it`)
  }
}
