import { type EmulatorSpec, phasesOf } from '@manc/contract'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { type EventService, emulationPhaseEvent } from '../events/index.ts'
import type { PhaseStore } from './phases.store.ts'

interface Deps {
  postgres: Postgres
  store: PhaseStore
  events: EventService
}

type PhasedSpec = Pick<EmulatorSpec, 'scenario' | 'duration'>

/** Events of one emulation. Only specs with different scenarios and durations have different phases. */
const maxPhases = 20
const batchSize = 200

/** Appends an event when a phase of an emulation begins. */
export class PhaseService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async plan(tx: Tx, jobNumber: string, specs: readonly PhasedSpec[]): Promise<void> {
    const phases = specs.flatMap(({ scenario = 'daily', duration }) =>
      phasesOf(scenario, duration).map((phase) => ({ ...phase, scenario })),
    )
    const unique = new Map(phases.map((each) => [`${each.phase} ${each.afterS}`, each]))
    await this.#deps.store.insert(tx, jobNumber, [...unique.values()].slice(0, maxPhases))
  }

  /** Any number of replicas: each phase is taken by one of them, with its event. */
  async announceDue(): Promise<void> {
    const { postgres, store, events } = this.#deps
    await postgres.transaction(async (tx) => {
      const begun = await store.takeDue(tx, batchSize)
      await events.append(tx, begun.map(emulationPhaseEvent))
    })
  }
}
