import { Refused } from '../../errors.ts'
import type { JobService } from '../jobs/index.ts'
import type { EmulationStore } from './emulations.store.ts'
import { parsePartReport } from './part-reports.format.ts'

/** Records what emulators report about their parts. A report renews the lease on its part. */
export class PartReportService {
  readonly #store: EmulationStore
  readonly #jobs: JobService

  constructor({ store, jobs }: { store: EmulationStore; jobs: JobService }) {
    this.#store = store
    this.#jobs = jobs
  }

  /** Refuses an emulator that has lost the lease. */
  async handleReports(jobNumber: string, items: readonly unknown[]): Promise<void> {
    let hasChanged = false
    for (const item of items) {
      const report = parsePartReport(item)
      if (!report) return
      const recorded = await this.#store.recordReport(jobNumber, report)
      if (!recorded) {
        await this.#store.shortenLease(jobNumber, report)
        throw new Refused('conflict', 'This part is run by another emulator, or is over. Stop its agents.')
      }
      hasChanged ||= recorded.hasChanged
    }
    if (hasChanged) await this.#jobs.setRunning(jobNumber)
  }
}
