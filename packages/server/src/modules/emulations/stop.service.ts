import type { Postgres, Tx } from '../../engines/postgres.ts'
import { notFound } from '../../errors.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { JobService } from '../jobs/index.ts'
import type { EmulationPosition, EmulationStore, ListedEmulation } from './emulations.store.ts'

interface Deps {
  postgres: Postgres
  store: EmulationStore
  jobs: JobService
}

const batchSize = 100
const controller: Actor = { kind: 'service', name: 'manc' }

/** Lists emulations, and stops them before their time. */
export class StopService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Without an owner: of all callers. */
  list(
    owner: string | undefined,
    after: EmulationPosition | undefined,
    limit: number,
  ): Promise<ListedEmulation[]> {
    return this.#deps.store.list(owner, after, limit)
  }

  /**
   * Ends all parts. An emulator that runs one gets a 409 to its next report and disconnects. Without an owner: of any
   * caller. An emulation that was removed before stays as it is.
   */
  async stop(jobNumber: string, owner: string | undefined, by: Actor): Promise<void> {
    const job = await this.#deps.jobs.get(jobNumber, owner)
    if (job.kind !== 'emulator_spinup') throw notFound('Job')
    await this.#stop(jobNumber, by)
  }

  /** Stops the emulation of a job that its caller cancels. */
  cancel(jobNumber: string, by: Actor): Promise<void> {
    return this.#stop(jobNumber, by, (tx) => this.#deps.jobs.setCancelled(tx, [jobNumber]))
  }

  /** Polled instead of done with the deletion: a request may start an emulation while its user is deleted. */
  async stopOfDeletedOwners(): Promise<void> {
    for (const jobNumber of await this.#deps.store.ofDeletedOwners(batchSize))
      await this.#stop(jobNumber, controller)
  }

  async #stop(jobNumber: string, by: Actor, also?: (tx: Tx) => Promise<void>): Promise<void> {
    const { postgres, store } = this.#deps
    await postgres.transaction(async (tx) => {
      const agents = await store.stop(tx, jobNumber, by.name)
      if (agents !== undefined)
        await recordAudit(tx, by, { action: 'emulator.stop', target: jobNumber, detail: { agents } })
      await also?.(tx)
    })
  }
}
