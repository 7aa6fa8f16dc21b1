import type { AgentService } from '../agents/index.ts'
import type { EmulationStore } from './emulations.store.ts'

const batchSize = 500

/** Removes emulations and their agents: some time after their end, or at once where they were stopped. Telemetry is kept. */
export class RemovalService {
  readonly #store: EmulationStore
  readonly #agents: AgentService

  constructor({ store, agents }: { store: EmulationStore; agents: AgentService }) {
    this.#store = store
    this.#agents = agents
  }

  async removeDue(): Promise<void> {
    for (const jobNumber of await this.#store.removable()) {
      while ((await this.#agents.removeEmulated(jobNumber, batchSize)) === batchSize);
      await this.#store.remove(jobNumber)
    }
  }
}
