import type { EventPosition, NetworkEvent } from '@manc/contract'
import type { DatedPartitions } from '../../engines/postgres.partitions.ts'
import type { Executor } from '../../engines/postgres.ts'
import type { EventQuota } from './event-quota.cache.ts'
import { toRecord } from './event-record.format.ts'
import type { EventKey, EventStore, FollowedPage } from './events.store.ts'
import type { EventFilter, EventRow, NewEvent } from './events.types.ts'
import { suppressedEvent } from './new-events.format.ts'

interface Deps {
  store: EventStore
  partitions: DatedPartitions
  quota: EventQuota
  perHour: number
  retentionDays: number
  /** Called for each event that is not appended because its agent has reached the limit. */
  onSuppressed: () => void
  countAppended: (labels: { kind: string }, by?: number) => void
}

interface Counted {
  /** Undefined until the event is stored. */
  key: EventKey | undefined
  count: number
  stored: number
}

const exportPageSize = 1000
const dayS = 86_400
/** Agents whose suppressed events are counted at a time. */
const maxCounted = 20_000

/** Appends and reads what happened in the network. */
export class EventService {
  readonly #deps: Deps
  /** By agent: the event that counts those that are not appended. */
  readonly #counted = new Map<string, Counted>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  get retentionDays(): number {
    return this.#deps.retentionDays
  }

  /** In the transaction of the change, so that the events are committed with it or not at all. One statement. */
  async append(tx: Executor, events: readonly NewEvent[]): Promise<void> {
    const { store, countAppended } = this.#deps
    const rows = events.flatMap((event) => this.#withinQuota(event) ?? [])
    if (rows.length === 0) return
    const counting = await store.insert(tx, rows)
    for (const key of counting) {
      const counted = this.#counted.get(key.apId)
      if (counted) counted.key = key
    }
    for (const { kind } of rows) countAppended({ kind })
  }

  /** An empty page is the end. */
  page(filter: EventFilter, after: EventPosition | undefined, limit: number): Promise<EventRow[]> {
    return this.#deps.store.page(filter, after, limit)
  }

  /** All matching events, in pages. */
  async *all(filter: EventFilter): AsyncGenerator<NetworkEvent[]> {
    for (let after: EventPosition | undefined; ; ) {
      const page = await this.#deps.store.page(filter, after, exportPageSize)
      yield page.map(toRecord)
      const last = page.at(-1)
      if (page.length < exportPageSize || !last) return
      after = { atMs: last.at.getTime(), transaction: BigInt(last.transaction), seq: BigInt(last.seq) }
    }
  }

  following(after: EventPosition | undefined, limit: number): Promise<FollowedPage> {
    return this.#deps.store.following(after, limit)
  }

  /** Whether all events after this position can be found. */
  isKnown(position: EventPosition): Promise<boolean> {
    return this.#deps.store.isKnown(position, this.#deps.retentionDays)
  }

  /** Creates the partitions for the next time, and drops those that have expired. */
  sweep(): Promise<void> {
    return this.#deps.partitions.sweep(this.#deps.retentionDays * dayS)
  }

  /** Stores how many events were suppressed since the last call. */
  async storeCounts(): Promise<void> {
    const changed = [...this.#counted].flatMap(([apId, counted]) =>
      counted.key && counted.count > counted.stored
        ? [{ apId, counted, key: counted.key, count: counted.count }]
        : [],
    )
    if (changed.length === 0) return
    await this.#deps.store.setCounts(changed)
    for (const { counted, count } of changed) counted.stored = count
  }

  /** Undefined if the event is only counted. */
  #withinQuota(event: NewEvent): NewEvent | undefined {
    const { quota, perHour, onSuppressed } = this.#deps
    const { apId } = event
    if (apId === null || event.hasOwnLimit) return event
    const answer = quota.take(apId)
    if (answer === 'taken') return event
    onSuppressed()
    if (answer === 'reached') {
      this.#forgetOldest()
      this.#counted.delete(apId)
      this.#counted.set(apId, { key: undefined, count: 1, stored: 1 })
      return suppressedEvent(apId, perHour)
    }
    const counted = this.#counted.get(apId)
    if (counted) counted.count += 1
    return undefined
  }

  #forgetOldest(): void {
    const [oldest] = this.#counted.keys()
    if (this.#counted.size >= maxCounted && oldest !== undefined) this.#counted.delete(oldest)
  }
}
