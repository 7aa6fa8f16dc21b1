import type { Postgres } from '../../engines/postgres.ts'
import { notFound } from '../../errors.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { JobService } from '../jobs/index.ts'
import type { EmulationStore, ListedEmulation } from './emulations.store.ts'

interface Deps {
  postgres: Postgres
  store: EmulationStore
  jobs: JobService
}

/** Lists emulations, and stops them before their time. */
export class StopService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Without an owner: of all callers. */
  list(owner: string | undefined, after: string | undefined, limit: number): Promise<ListedEmulation[]> {
    return this.#deps.store.list(owner, after, limit)
  }

  /**
   * Ends all parts. An emulator that runs one gets a 409 to its next report and disconnects. Without an owner: of any
   * caller. An emulation that was removed before stays as it is.
   */
  async stop(jobNumber: string, owner: string | undefined, by: Actor): Promise<void> {
    const { postgres, store, jobs } = this.#deps
    const job = await jobs.get(jobNumber, owner)
    if (job.kind !== 'emulator_spinup') throw notFound('Job')
    await postgres.transaction(async (tx) => {
      const agents = await store.stop(tx, jobNumber, by.name)
      if (agents !== undefined)
        await recordAudit(tx, by, { action: 'emulator.stop', target: jobNumber, detail: { agents } })
    })
  }
}
