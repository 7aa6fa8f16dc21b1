import type { Controls } from './types.ts'
import type { Visit } from './visits.ts'

/** The state that commands have set, from a moment on. */
export interface ControlState extends Omit<Controls, 'steeredAway' | 'guests'> {
  ms: number
  /** The radio is on from then on. */
  bootedMs: number
  away: readonly Visit[]
  guests: readonly Visit[]
}

/** Older states are never asked for. */
const maxStates = 1000

/** The states of a cell in the order of time: one before all commands, and one for each command. */
export class ControlHistory {
  readonly #states: ControlState[]

  constructor(initial: Omit<ControlState, 'ms'>) {
    this.#states = [{ ...initial, ms: -Infinity }]
  }

  get latest(): ControlState {
    return this.#states.at(-1) as ControlState
  }

  at(ms: number): ControlState {
    const states = this.#states
    let index = states.length - 1
    while (index > 0 && (states[index] as ControlState).ms > ms) index -= 1
    return states[index] as ControlState
  }

  /** A change that is dated before the latest one takes effect with it. */
  change(ms: number, change: Partial<ControlState>): void {
    this.#states.push({ ...this.latest, ...change, ms: Math.max(ms, this.latest.ms) })
    if (this.#states.length > maxStates) this.#states.shift()
  }
}
