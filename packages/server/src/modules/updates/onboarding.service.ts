import { LRUCache } from 'lru-cache'
import type { AgentService } from '../agents/index.ts'
import type { Actor } from '../audit/index.ts'

/** Stores configurations that agents send, and marks agents as onboarded by their first message. */
export class OnboardingService {
  readonly #agents: AgentService
  /** Saves a query for every further message of an agent. */
  readonly #onboarded = new LRUCache<string, true>({ max: 200_000 })

  constructor(agents: AgentService) {
    this.#agents = agents
  }

  async configure(
    apId: string,
    configuration: Record<string, unknown> | undefined,
    by: Actor,
  ): Promise<void> {
    if (!configuration) return
    // Agents repeat it with every connection: a transaction only if it has changed.
    const known = await this.#agents.get(apId)
    if (known.configuration !== JSON.stringify(configuration))
      await this.#agents.update(apId, { configuration }, by)
  }

  async markOnboard(apId: string): Promise<void> {
    if (this.#onboarded.has(apId)) return
    await this.#agents.markOnboard([apId])
    this.#onboarded.set(apId, true)
  }
}
