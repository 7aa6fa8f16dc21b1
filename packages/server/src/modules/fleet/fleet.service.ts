import { createHash } from 'node:crypto'
import { type FleetMark, type FleetSummary, type Health, technologies } from '@manc/contract'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { type EventService, presenceEvent } from '../events/index.ts'
import type { FleetStore, StatusReport } from './fleet.store.ts'
import type { FleetChanges, FleetChangesStore } from './fleet-changes.store.ts'
import type {
  Condition,
  Count,
  FleetAgent,
  FleetFilter,
  FleetListStore,
  FleetSample,
  FleetView,
  HealthPosition,
} from './fleet-list.store.ts'
import type { MonitorStore } from './monitors.store.ts'
import { placementOf } from './placement.rules.ts'

interface Deps {
  postgres: Postgres
  events: EventService
  store: FleetStore
  list: FleetListStore
  changes: FleetChangesStore
  monitors: MonitorStore
}

const describeBatch = 1000
const maxDescribeBatches = 20

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
    const { postgres, store, events } = this.#deps
    return postgres.transaction(async (tx) => {
      const changed = await store.applyStatuses(tx, statuses)
      await events.append(
        tx,
        changed.map(({ apId, state }) => presenceEvent(apId, state)),
      )
    })
  }

  async summary(view: FleetView): Promise<FleetSummary> {
    const { list, monitors } = this.#deps
    const [counts, checkedAt] = await Promise.all([list.counts(view), monitors.checkedAt()])
    return {
      ...sumOf(counts),
      technologies: technologies.map((technology) => ({
        technology,
        ...sumOf(counts.filter((count) => count.technology === technology)),
      })),
      hidden_emulated: counts.reduce((sum, { hidden }) => sum + hidden, 0),
      as_of: checkedAt?.toISOString() ?? null,
    }
  }

  /** How these agents work, as far as the controller knows now. */
  conditions(apIds: readonly string[]): Promise<Map<string, Condition>> {
    return this.#deps.list.conditions(apIds)
  }

  /** Ids of the agents that match. */
  ids(filter: FleetFilter, limit: number): Promise<string[]> {
    return this.#deps.list.ids(filter, limit)
  }

  /** Agents by technology, place and state, each with its configuration. */
  choose(filter: FleetFilter, limit: number): Promise<{ apId: string; configuration: string }[]> {
    return this.#deps.list.choose(filter, limit)
  }

  /** Some of the agents that match, chosen evenly. */
  sample(filter: FleetFilter, limit: number): Promise<FleetSample> {
    return this.#deps.list.sample(filter, limit)
  }

  page(filter: FleetFilter, after: string, limit: number): Promise<FleetAgent[]> {
    return this.#deps.list.page(filter, after, limit)
  }

  /** The worst first. */
  pageByHealth(filter: FleetFilter, after: HealthPosition | undefined, limit: number): Promise<FleetAgent[]> {
    return this.#deps.list.pageByHealth(filter, after, limit)
  }

  /** If the caller may see other agents than at its mark, it has to read the list again: newly visible agents have not changed. */
  async changes(view: FleetView, after: FleetMark | undefined): Promise<FleetChanges & { next: FleetMark }> {
    const key = keyOf(view)
    const isSameView = !after || after.view === key
    const changes = await this.#deps.changes.since(isSameView ? after : undefined, view)
    return { ...changes, isComplete: isSameView && changes.isComplete, next: { ...changes.next, view: key } }
  }

  async sweep(): Promise<void> {
    await this.#deps.changes.sweep()
    await this.#deps.store.mergeCounts()
    await this.#describe()
  }

  /** In small transactions: a migration would block all writers of the table. */
  async #describe(): Promise<void> {
    const { postgres, store } = this.#deps
    for (let batch = 0; batch < maxDescribeBatches; batch++) {
      const described = await postgres.transaction(async (tx) => {
        const agents = await store.undescribed(tx, describeBatch)
        const parsed = agents.map(({ apId, configuration }) => ({
          apId,
          ...placementOf(JSON.parse(configuration) as Record<string, unknown>),
        }))
        if (parsed.length > 0) await store.describe(tx, parsed)
        return parsed.length
      })
      if (described < describeBatch) return
    }
  }
}

/** Identifies a view. Short enough for a query parameter. */
function keyOf({ patterns, emulated, owner }: FleetView): string {
  if (!patterns && emulated === 'all') return 'all'
  const text = JSON.stringify([patterns, emulated, emulated === 'own' && owner])
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}

function sumOf(counts: readonly Count[]) {
  const sum = (isCounted: (count: Count) => boolean) =>
    counts.filter(isCounted).reduce((total, { agents }) => total + agents, 0)
  const inState = (wanted: Count['state']) => sum(({ state }) => state === wanted)
  const ofHealth = (wanted: Health) => sum(({ health }) => health === wanted)
  return {
    total: sum(() => true),
    online: inState('online'),
    stale: inState('stale'),
    offline: inState('offline'),
    health: {
      good: ofHealth('good'),
      degraded: ofHealth('degraded'),
      bad: ofHealth('bad'),
      unknown: ofHealth('unknown'),
      offline: ofHealth('offline'),
    },
  }
}
