import { createHash } from 'node:crypto'
import { type FleetMark, type FleetSummary, type Technology, technologies } from '@manc/contract'
import type { FleetAgent, FleetFilter, FleetNews, FleetStore } from './fleet.store.ts'

/** The whole network at a glance. */
export class FleetService {
  readonly #store: FleetStore

  constructor(store: FleetStore) {
    this.#store = store
  }

  async summary(seen: FleetFilter['seen']): Promise<FleetSummary> {
    const [counts, judgedAt] = await Promise.all([this.#store.counts(seen), this.#store.judgedAt()])
    const sum = (those: typeof counts) => ({
      total: total(those),
      online: total(those.filter(({ state }) => state === 'online')),
      stale: total(those.filter(({ state }) => state === 'stale')),
      offline: total(those.filter(({ state }) => state === 'offline')),
    })
    return {
      ...sum(counts),
      technologies: technologies.map((technology) => ({
        technology,
        ...sum(counts.filter((count) => count.technology === technology)),
      })),
      as_of: judgedAt?.toISOString() ?? null,
    }
  }

  /** Which technology each agent is of. */
  technologies(): Promise<Map<string, Technology>> {
    return this.#store.technologies()
  }

  /** Agents by what they are and where, each with its configuration. */
  choose(filter: FleetFilter, limit: number): Promise<{ apId: string; configuration: string }[]> {
    return this.#store.choose(filter, limit)
  }

  /** Whoever sees other agents than before has to begin anew: what they did not see has not changed. */
  async changes(
    seen: FleetFilter['seen'],
    after: FleetMark | undefined,
  ): Promise<FleetNews & { next: FleetMark }> {
    const view = viewOf(seen)
    const isSame = !after || after.view === view
    const news = await this.#store.changes(seen, isSame ? after : undefined)
    return { ...news, isComplete: isSame && news.isComplete, next: { ...news.next, view } }
  }

  sweep(): Promise<void> {
    return this.#store.sweep()
  }

  page(filter: FleetFilter, after: string, limit: number): Promise<FleetAgent[]> {
    return this.#store.page(filter, after, limit)
  }
}

const viewOf = (seen: FleetFilter['seen']): string =>
  seen ? createHash('sha256').update(JSON.stringify(seen)).digest('base64url').slice(0, 12) : 'all'

const total = (counts: { agents: number }[]) => counts.reduce((sum, { agents }) => sum + agents, 0)
