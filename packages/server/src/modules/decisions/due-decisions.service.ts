import type { DecisionState } from '@manc/contract'
import type { Postgres } from '../../engines/postgres.ts'
import type { EventService } from '../events/index.ts'
import type { DecisionChangeStore } from './decision-changes.store.ts'
import { eventsOf } from './decisions.format.ts'
import type { DecisionStore } from './decisions.store.ts'
import type { DueDecision } from './decisions.types.ts'
import type { MeasurementStore } from './measurements.store.ts'

interface Deps {
  postgres: Postgres
  store: DecisionStore
  changes: DecisionChangeStore
  measurements: MeasurementStore
  events: EventService
  countChange: (labels: { state: DecisionState }) => void
}

const batchSize = 20

/** Expires proposals and measures effects. Any number of processes do so at the same time, each with its own rows. */
export class DueDecisionService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Whether there may be more. What fails is due again when its lease has ended. */
  async handleBatch(): Promise<boolean> {
    const due = await this.#deps.changes.takeDue(batchSize)
    const results = await Promise.allSettled(due.map((each) => this.#handle(each)))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    return due.length === batchSize
  }

  #handle(due: DueDecision): Promise<void> {
    return due.state === 'proposed' ? this.#expire(due) : this.#measure(due)
  }

  async #expire({ id }: DueDecision): Promise<void> {
    const { postgres, store, changes, events, countChange } = this.#deps
    await postgres.transaction(async (tx) => {
      if (!(await changes.setExpired(tx, id))) return
      const decision = await store.find(tx, { app: undefined }, id)
      if (decision) await events.append(tx, eventsOf(decision, 'expired'))
      postgres.afterCommit(tx, () => countChange({ state: 'expired' }))
    })
  }

  /** The controller measures, and not the app that has decided. */
  async #measure({ id, startedAt, measureAt, expected }: DueDecision): Promise<void> {
    const { postgres, store, changes, measurements, events, countChange } = this.#deps
    if (!measureAt) return
    const span = { startMs: startedAt.getTime(), endMs: measureAt.getTime() }
    const measured = await measurements.read(expected, span)
    await postgres.transaction(async (tx) => {
      if (!(await changes.setMeasured(tx, id, measured))) return
      const decision = await store.find(tx, { app: undefined }, id)
      if (decision) await events.append(tx, eventsOf(decision, 'measured', measured))
      postgres.afterCommit(tx, () => countChange({ state: 'measured' }))
    })
  }
}
