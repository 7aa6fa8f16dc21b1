import type { Samples } from './samples.ts'

/** Of one agent, as the database has them. */
export interface Found {
  total: number
  open: number
}

interface Cycle {
  apId: string
  /** Its value is left bad at the end. */
  endsBad: boolean
  phase: 'raising' | 'raised' | 'clearing' | 'cleared'
  /** How often its value turned bad. */
  times: number
  changeAt: number
}

const values = { bad: 150, good: 10 }

interface Options {
  samples: Samples
  random: () => number
  /** A phase is kept for up to this long after its alarm was raised or cleared. */
  maxPauseMs: number
}

/** Turns values of agents bad until their alarm is raised, and good until it is cleared, again and again. */
export class Cycles {
  readonly #options: Options
  readonly #cycles: Cycle[] = []
  readonly #turns: { apId: string; value: number; at: Date }[] = []
  #isEnding = false
  /** Phases that are over. */
  steps = 0
  /** Agents with more alarms than times that their value turned bad. */
  readonly excess = new Map<string, string>()

  constructor(options: Options) {
    this.#options = options
  }

  add(apId: string, endsBad: boolean): void {
    this.#options.samples.values.set(apId, values.good)
    const { random, maxPauseMs } = this.#options
    const changeAt = Date.now() + random() * maxPauseMs
    this.#cycles.push({ apId, endsBad, phase: 'cleared', times: 0, changeAt })
  }

  /** Each agent goes on until it has the state in which it ends. */
  end(): void {
    this.#isEnding = true
  }

  /** Those that are not there yet, after `end`. */
  get pending(): string[] {
    return this.#cycles
      .filter(({ phase, endsBad, times }) => phase !== (endsBad ? 'raised' : 'cleared') || times === 0)
      .map(({ apId, phase, times }) => `${apId} ${phase} ${times}`)
  }

  /** How many alarms each agent must have in the end, and how many of them open. */
  get expected(): Map<string, Found> {
    return new Map(
      this.#cycles.map(({ apId, times, endsBad }) => [apId, { total: times, open: endsBad ? 1 : 0 }]),
    )
  }

  /** A line for each change of its value. */
  turnsOf(apId: string): string[] {
    return this.#turns
      .filter((turn) => turn.apId === apId)
      .map(({ value, at }) => `${apId} sends ${value} from ${at.toISOString()}`)
  }

  advance(found: ReadonlyMap<string, Found>): void {
    for (const cycle of this.#cycles) {
      const { total, open } = found.get(cycle.apId) ?? { total: 0, open: 0 }
      if (total > cycle.times) this.excess.set(cycle.apId, `${total} alarms, bad ${cycle.times} times`)
      this.#advance(cycle, total >= cycle.times && open > 0, open === 0)
    }
  }

  #advance(cycle: Cycle, isRaised: boolean, isCleared: boolean): void {
    const { phase, changeAt, endsBad, times } = cycle
    if (phase === 'raising' && isRaised) this.#next(cycle, 'raised')
    else if (phase === 'clearing' && isCleared) this.#next(cycle, 'cleared')
    else if (Date.now() < changeAt) return
    else if (phase === 'raised' && !(this.#isEnding && endsBad)) this.#turn(cycle, 'clearing', values.good)
    else if (phase === 'cleared' && !(this.#isEnding && !endsBad && times > 0)) {
      cycle.times += 1
      this.#turn(cycle, 'raising', values.bad)
    }
  }

  #next(cycle: Cycle, phase: Cycle['phase']): void {
    const { random, maxPauseMs } = this.#options
    cycle.phase = phase
    cycle.changeAt = Date.now() + random() * maxPauseMs
    this.steps += 1
  }

  #turn(cycle: Cycle, phase: Cycle['phase'], value: number): void {
    cycle.phase = phase
    this.#turns.push({ apId: cycle.apId, value, at: new Date() })
    this.#options.samples.values.set(cycle.apId, value)
  }
}
