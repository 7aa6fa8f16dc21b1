import { type AlarmSeverity, type AlarmSummary, alarmSeverities } from '@manc/contract'
import type { Executor, Postgres } from '../../engines/postgres.ts'
import { notFound, Refused } from '../../errors.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { EventService } from '../events/index.ts'
import { acknowledgedEvent, clearedEvent, raisedEvent } from './alarm-events.format.ts'
import type { AlarmStore } from './alarms.store.ts'
import type {
  Acknowledgement,
  AlarmChange,
  AlarmCount,
  AlarmFilter,
  AlarmRow,
  AlarmView,
  ChangedAlarm,
  ClearedAlarm,
  FiringAlert,
  OpenAlarm,
  RuleRow,
} from './alarms.types.ts'
import type { ChangeStore } from './changes.store.ts'
import type { ClearanceStore } from './clearance.store.ts'
import { conditionOf, flappingClearS } from './expressions.format.ts'
import { FullPasses } from './full-passes.rules.ts'
import type { RuleStore } from './rules.store.ts'
import type { StoreRestarts } from './store-restarts.service.ts'

interface Deps {
  postgres: Postgres
  events: EventService
  store: AlarmStore
  changes: ChangeStore
  rules: RuleStore
  clearance: ClearanceStore
  storeRestarts: StoreRestarts
  /** Refuses a name that no user has; returns the name as it is stored. */
  usernameOf: (username: string) => Promise<string>
  flapping: number
  retentionDays: number
}

/** Alerts and alarms per statement, so that each ends within the timeout. */
const batchSize = 5000
const clearSize = 2000
const isId = /^[1-9]\d{0,17}$/

/** Owns the alarms: what vmalert, the metrics store and the fleet report only opens and closes them. */
export class AlarmService {
  readonly #deps: Deps
  readonly #fullPasses = new FullPasses()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Alerts that are repeated change nothing. */
  async receive(alerts: readonly FiringAlert[]): Promise<void> {
    const { postgres, store, flapping } = this.#deps
    // Those of one agent together: a worse one inhibits others of the same statement.
    const ordered = alerts.length > batchSize ? alerts.toSorted(byAgent) : alerts
    for (let start = 0; start < ordered.length; start += batchSize)
      await postgres.transaction(async (tx) => {
        const raised = await store.raise(tx, ordered.slice(start, start + batchSize), flapping)
        await this.#report(tx, raised)
      })
  }

  /** Opens and closes alarms by the state of the agents in the fleet, and closes those that no rule has any more. */
  async followFleet(): Promise<void> {
    const { postgres, store, flapping } = this.#deps
    await allOf([
      () => this.#clear((tx) => store.clearGone(tx, clearSize)),
      () => this.#clearOrphans(),
      () => this.#clear((tx) => store.clearOnline(tx, clearSize)),
      () =>
        postgres.transaction(async (tx) =>
          this.#report(tx, await store.raiseOffline(tx, flapping, batchSize)),
        ),
    ])
  }

  async #clearOrphans(): Promise<void> {
    const { store, rules } = this.#deps
    const nowMs = performance.now()
    if (!this.#fullPasses.isDue(await rules.mark(), nowMs)) return
    await allOf([
      () => this.#clear((tx) => store.clearRemoved(tx, clearSize)),
      () => this.#clear((tx) => store.clearOrphans(tx, clearSize)),
    ])
    this.#fullPasses.passed(nowMs)
  }

  /**
   * Closes alarms whose value is good again. Where the store has no data, does not answer, or was restarted lately, nothing
   * changes.
   */
  async clearRecovered(): Promise<void> {
    const { store, rules, storeRestarts } = this.#deps
    const open = await store.openByRule()
    if (open.size === 0 || (await storeRestarts.areRecent())) return
    const all = await rules.all()
    await allOf(all.map((rule) => () => this.#clearRecoveredOf(rule, open.get(rule.id) ?? [])))
  }

  async #clearRecoveredOf(rule: RuleRow, open: readonly OpenAlarm[]): Promise<void> {
    const { postgres, store, clearance, storeRestarts } = this.#deps
    const condition = conditionOf(rule)
    if (!condition) return
    const [flapping, others] = parted(open, ({ isFlapping }) => isFlapping)
    const ids = [
      ...(await clearance.recovered(rule, condition, others, rule.clearForS)),
      ...(await clearance.recovered(rule, condition, flapping, Math.max(rule.clearForS, flappingClearS))),
    ]
    // Again: it may have been restarted before it answered.
    if (ids.length === 0 || (await storeRestarts.areRecent())) return
    for (let start = 0; start < ids.length; start += clearSize)
      await postgres.transaction(async (tx) =>
        this.#reportCleared(tx, await store.clearRecovered(tx, rule, ids.slice(start, start + clearSize))),
      )
  }

  /** In the transaction that changes or deletes the rule, which stays short: more than these are closed later. */
  async clearOfRule(tx: Executor, ruleId: string): Promise<void> {
    await this.#reportCleared(tx, await this.#deps.store.clearOrphans(tx, clearSize, ruleId))
  }

  /** Changes of alarms that no call has taken yet, without those with these ids. They are gone when the transaction commits. */
  takeChanges(tx: Executor, max: number, except: readonly string[] = []): Promise<AlarmChange[]> {
    return this.#deps.changes.take(tx, max, except)
  }

  oldestChangeS(): Promise<number> {
    return this.#deps.changes.oldestS(this.#deps.postgres.db)
  }

  byIds(tx: Executor, ids: readonly string[]): Promise<AlarmRow[]> {
    return this.#deps.store.byIds(tx, ids)
  }

  page(filter: AlarmFilter, after: string | undefined, limit: number): Promise<AlarmRow[]> {
    return this.#deps.store.page(filter, after, limit)
  }

  get(view: AlarmView, id: string): Promise<AlarmRow> {
    return this.#find(view, id)
  }

  async summary(view: AlarmView): Promise<AlarmSummary> {
    const counts = await this.#deps.store.counts(view)
    const sum = (severity: AlarmSeverity, kind: AlarmCount['kind']) =>
      counts.find((each) => each.severity === severity && each.kind === kind)?.alarms ?? 0
    return Object.fromEntries(
      alarmSeverities.map((severity) => [
        severity,
        {
          acknowledged: sum(severity, 'acknowledged'),
          unacknowledged: sum(severity, 'unacknowledged'),
          silenced: sum(severity, 'silenced'),
          inhibited: sum(severity, 'inhibited'),
        },
      ]),
    ) as AlarmSummary
  }

  /** Without a comment the stored one stays. */
  async acknowledge(view: AlarmView, id: string, comment: string | undefined, by: Actor): Promise<AlarmRow> {
    const { postgres } = this.#deps
    const alarm = await this.#find(view, id)
    await postgres.transaction(async (tx) => {
      if ((await this.#acknowledge(tx, { view, ids: [id], by: by.name, comment })).length === 0)
        throw alreadyCleared()
      const detail = { ap_id: alarm.apId, rule: alarm.ruleId, ...(comment !== undefined && { comment }) }
      await recordAudit(tx, by, { action: 'alarm.acknowledge', target: id, detail })
    })
    return this.#find(view, id)
  }

  /** Returns the ids of those that were open, and that the caller may see. One statement, and one entry of the audit. */
  async acknowledgeAll(
    view: AlarmView,
    ids: readonly string[],
    comment: string | undefined,
    by: Actor,
  ): Promise<string[]> {
    return this.#deps.postgres.transaction(async (tx) => {
      const alarms = await this.#acknowledge(tx, { view, ids, by: by.name, comment })
      if (alarms.length === 0) return []
      const detail = { ids: idsOf(alarms), ...(comment !== undefined && { comment }) }
      await recordAudit(tx, by, { action: 'alarms.acknowledge', target: '*', detail })
      return idsOf(alarms)
    })
  }

  /** A changed comment is no event. */
  async #acknowledge(tx: Executor, acknowledgement: Acknowledgement): Promise<ChangedAlarm[]> {
    const { store, events } = this.#deps
    const alarms = await store.acknowledge(tx, acknowledgement)
    const first = alarms.filter(({ isFirst }) => isFirst)
    await events.append(
      tx,
      first.map((alarm) => acknowledgedEvent(alarm, acknowledgement.by)),
    )
    return alarms
  }

  async assign(view: AlarmView, id: string, username: string | null, by: Actor): Promise<AlarmRow> {
    const { postgres, store, usernameOf } = this.#deps
    const alarm = await this.#find(view, id)
    // Whatever the name is: an app must not learn which users exist.
    if (view.patterns && username !== null)
      throw new Refused('forbidden', 'An app can remove an assignment, but not assign a user.')
    const assignee = username === null ? null : await usernameOf(username)
    await postgres.transaction(async (tx) => {
      if (!(await store.assign(tx, id, assignee))) throw alreadyCleared()
      const detail = { ap_id: alarm.apId, rule: alarm.ruleId, assignee }
      await recordAudit(tx, by, { action: 'alarm.assign', target: id, detail })
    })
    return this.#find(view, id)
  }

  sweep(): Promise<void> {
    return this.#deps.store.deleteCleared(this.#deps.retentionDays, batchSize)
  }

  async #find(view: AlarmView, id: string): Promise<AlarmRow> {
    const alarm = isId.test(id) ? await this.#deps.store.find(view, id) : undefined
    if (!alarm) throw notFound('Alarm')
    return alarm
  }

  async #report(tx: Executor, raised: readonly ChangedAlarm[]): Promise<void> {
    const { events, changes } = this.#deps
    await events.append(tx, raised.map(raisedEvent))
    await changes.add(tx, idsOf(raised), true)
  }

  /** A transaction for each batch, until one is not full. */
  async #clear(batch: (tx: Executor) => Promise<ClearedAlarm[]>): Promise<void> {
    for (let isFull = true; isFull; )
      isFull = await this.#deps.postgres.transaction(async (tx) => {
        const cleared = await batch(tx)
        await this.#reportCleared(tx, cleared)
        return cleared.length === clearSize
      })
  }

  async #reportCleared(tx: Executor, cleared: readonly ClearedAlarm[]): Promise<void> {
    const { events, changes } = this.#deps
    await events.append(tx, cleared.map(clearedEvent))
    await changes.add(tx, idsOf(cleared), false)
  }
}

/** One after the other, each also if another one fails. The first error is thrown at the end. */
async function allOf(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

const byAgent = (a: FiringAlert, b: FiringAlert): number => (a.apId < b.apId ? -1 : a.apId > b.apId ? 1 : 0)

const idsOf = (alarms: readonly ChangedAlarm[]): string[] => alarms.map(({ id }) => id)

const alreadyCleared = () => new Refused('conflict', 'The alarm is cleared')

function parted<T>(items: readonly T[], fits: (item: T) => boolean): [T[], T[]] {
  return [items.filter(fits), items.filter((item) => !fits(item))]
}
