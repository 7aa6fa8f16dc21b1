import { createHash } from 'node:crypto'
import { type FleetMark, type FleetSummary, type Technology, technologies } from '@manc/contract'
import type { Tx } from '../../engines/postgres.ts'
import type { FleetStore, StatusReport } from './fleet.store.ts'
import type { FleetChanges, FleetChangesStore } from './fleet-changes.store.ts'
import type { Count, FleetAgent, FleetFilter, FleetListStore, VisibleIds } from './fleet-list.store.ts'
import type { MonitorStore } from './monitors.store.ts'
import { placementOf } from './placement.rules.ts'

interface Deps {
  store: FleetStore
  list: FleetListStore
  changes: FleetChangesStore
  monitors: MonitorStore
}

/** All agents, with their places and states. */
export class FleetService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** In the transaction that stores the configurations. `emulatedBy`: the owner of new emulated agents. */
  place(
    tx: Tx,
    agents: readonly { apId: string; configuration: Record<string, unknown> }[],
    emulatedBy?: string,
  ): Promise<void> {
    return this.#deps.store.place(
      tx,
      agents.map(({ apId, configuration }) => ({ apId, ...placementOf(configuration) })),
      emulatedBy ?? null,
    )
  }

  applyStatuses(statuses: StatusReport[]): Promise<void> {
    return this.#deps.store.applyStatuses(statuses)
  }

  async summary(visible: VisibleIds): Promise<FleetSummary> {
    const { list, monitors } = this.#deps
    const [counts, checkedAt] = await Promise.all([list.counts(visible), monitors.checkedAt()])
    return {
      ...sumOf(counts),
      technologies: technologies.map((technology) => ({
        technology,
        ...sumOf(counts.filter((count) => count.technology === technology)),
      })),
      as_of: checkedAt?.toISOString() ?? null,
    }
  }

  /** The technology of each agent. */
  technologies(): Promise<Map<string, Technology>> {
    return this.#deps.list.technologies()
  }

  /** Agents by technology, place and state, each with its configuration. */
  choose(filter: FleetFilter, limit: number): Promise<{ apId: string; configuration: string }[]> {
    return this.#deps.list.choose(filter, limit)
  }

  page(filter: FleetFilter, after: string, limit: number): Promise<FleetAgent[]> {
    return this.#deps.list.page(filter, after, limit)
  }

  /** If the caller may see other agents than at its mark, it has to read the list again: newly visible agents have not changed. */
  async changes(
    visible: VisibleIds,
    after: FleetMark | undefined,
  ): Promise<FleetChanges & { next: FleetMark }> {
    const view = viewOf(visible)
    const isSameView = !after || after.view === view
    const changes = await this.#deps.changes.since(isSameView ? after : undefined, visible)
    return { ...changes, isComplete: isSameView && changes.isComplete, next: { ...changes.next, view } }
  }

  sweep(): Promise<void> {
    return this.#deps.changes.sweep()
  }
}

/** Short enough for a query parameter. */
const viewOf = (visible: VisibleIds): string =>
  visible ? createHash('sha256').update(JSON.stringify(visible)).digest('base64url').slice(0, 12) : 'all'

function sumOf(counts: readonly Count[]) {
  const total = (state?: Count['state']) =>
    counts
      .filter((count) => state === undefined || count.state === state)
      .reduce((sum, { agents }) => sum + agents, 0)
  return {
    total: total(),
    online: total('online'),
    stale: total('stale'),
    offline: total('offline'),
  }
}
