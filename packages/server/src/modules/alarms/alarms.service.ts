import { type AlarmSummary, alarmSeverities } from '@manc/contract'
import type { Executor, Postgres } from '../../engines/postgres.ts'
import { notFound, Refused } from '../../errors.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { EventService } from '../events/index.ts'
import { acknowledgedEvent, clearedEvent, raisedEvent } from './alarm-events.format.ts'
import type { AlarmStore } from './alarms.store.ts'
import type {
  AlarmFilter,
  AlarmRow,
  AlarmView,
  ChangedAlarm,
  ClearReason,
  FiringAlert,
} from './alarms.types.ts'
import type { ClearanceStore } from './clearance.store.ts'
import { conditionOf, flappingClearS } from './expressions.format.ts'
import type { RuleStore } from './rules.store.ts'

interface Deps {
  postgres: Postgres
  events: EventService
  store: AlarmStore
  rules: RuleStore
  clearance: ClearanceStore
  /** Refuses a name that no user has; returns the name as it is stored. */
  usernameOf: (username: string) => Promise<string>
  flapping: number
  retentionDays: number
}

/** Alerts and alarms per statement, so that each ends within the timeout. */
const batchSize = 5000
const isId = /^[1-9]\d{0,17}$/

/** Owns the alarms: what vmalert, the metrics store and the fleet report only opens and closes them. */
export class AlarmService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Alerts that are repeated change nothing. */
  async receive(alerts: readonly FiringAlert[]): Promise<void> {
    const { postgres, store, flapping } = this.#deps
    for (let start = 0; start < alerts.length; start += batchSize)
      await postgres.transaction(async (tx) => {
        const raised = await store.raise(tx, alerts.slice(start, start + batchSize), flapping)
        await this.#report(tx, raised)
      })
  }

  /** Opens and closes alarms by the state of the agents in the fleet. */
  async followPresence(): Promise<void> {
    const { postgres, store, flapping } = this.#deps
    await postgres.transaction(async (tx) => {
      await this.#reportCleared(tx, await store.clearRemoved(tx), 'agent_removed')
      await this.#reportCleared(tx, await store.clearOnline(tx), 'recovered')
      await this.#report(tx, await store.raiseOffline(tx, flapping, batchSize))
    })
  }

  /** Closes alarms whose value is good again. Where the store has no data, or does not answer, nothing changes. */
  async clearRecovered(): Promise<void> {
    const { postgres, store, rules, clearance } = this.#deps
    const open = await store.openByRule()
    if (open.size === 0) return
    for (const rule of await rules.all()) {
      const condition = conditionOf(rule)
      if (!condition) continue
      const [flapping, others] = parted(open.get(rule.id) ?? [], ({ isFlapping }) => isFlapping)
      const ids = [
        ...(await clearance.recovered(rule, condition, others, rule.clearForS)),
        ...(await clearance.recovered(rule, condition, flapping, Math.max(rule.clearForS, flappingClearS))),
      ]
      if (ids.length === 0) continue
      await postgres.transaction(async (tx) =>
        this.#reportCleared(tx, await store.clearRecovered(tx, rule, ids), 'recovered'),
      )
    }
  }

  /** In the transaction that changes or deletes the rule. */
  async clearOfRule(tx: Executor, ruleId: string, reason: ClearReason): Promise<void> {
    await this.#reportCleared(tx, await this.#deps.store.clearOfRule(tx, ruleId, reason), reason)
  }

  page(filter: AlarmFilter, after: string | undefined, limit: number): Promise<AlarmRow[]> {
    return this.#deps.store.page(filter, after, limit)
  }

  async summary(view: AlarmView): Promise<AlarmSummary> {
    const counts = await this.#deps.store.counts(view)
    const sum = (severity: string, isAcknowledged: boolean) =>
      counts.find((each) => each.severity === severity && each.isAcknowledged === isAcknowledged)?.alarms ?? 0
    return Object.fromEntries(
      alarmSeverities.map((severity) => [
        severity,
        { acknowledged: sum(severity, true), unacknowledged: sum(severity, false) },
      ]),
    ) as AlarmSummary
  }

  async acknowledge(view: AlarmView, id: string, comment: string, by: Actor): Promise<AlarmRow> {
    const { postgres, store, events } = this.#deps
    const alarm = await this.#find(view, id)
    await postgres.transaction(async (tx) => {
      if (!(await store.acknowledge(tx, id, by.name, comment))) throw alreadyCleared()
      await events.append(tx, [acknowledgedEvent(alarm, by.name)])
      const detail = { ap_id: alarm.apId, rule: alarm.ruleId, comment }
      await recordAudit(tx, by, { action: 'alarm.acknowledge', target: id, detail })
    })
    return this.#find(view, id)
  }

  async assign(view: AlarmView, id: string, username: string | null, by: Actor): Promise<AlarmRow> {
    const { postgres, store, usernameOf } = this.#deps
    const alarm = await this.#find(view, id)
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
    await this.#deps.events.append(tx, raised.map(raisedEvent))
  }

  async #reportCleared(tx: Executor, cleared: readonly ChangedAlarm[], reason: ClearReason): Promise<void> {
    await this.#deps.events.append(
      tx,
      cleared.map((alarm) => clearedEvent(alarm, reason)),
    )
  }
}

const alreadyCleared = () => new Refused('conflict', 'The alarm is cleared')

function parted<T>(items: readonly T[], fits: (item: T) => boolean): [T[], T[]] {
  return [items.filter(fits), items.filter((item) => !fits(item))]
}
