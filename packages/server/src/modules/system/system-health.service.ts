import { type SystemState, systemStates } from '@manc/contract'
import { noBrokerDisk } from './disks.rules.ts'
import { engineParts } from './engines.rules.ts'
import type { CachedPart } from './parts.cache.ts'
import type { EngineState, Part, ProcessRow } from './parts.types.ts'

interface Deps {
  engines: () => readonly EngineState[]
  parts: readonly CachedPart[]
  /** Those of the last reading. */
  processes: () => readonly ProcessRow[]
}

interface Health {
  state: Exclude<SystemState, 'unknown'>
  /** The worst first. */
  parts: Part[]
  processes: readonly ProcessRow[]
}

/** The health of the controller itself, as this process sees it. */
export class SystemHealthService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async read(): Promise<Health> {
    const { engines, parts, processes } = this.#deps
    const read = await Promise.all(parts.map((part) => part.read()))
    const alive = processes().filter(({ isAlive }) => isAlive)
    const all = [...engineParts(engines(), alive), ...read, ...reportedParts(alive)].toSorted(
      (a, b) => rankOf(a.state) - rankOf(b.state),
    )
    const worst = all.find(({ state }) => state === 'bad' || state === 'degraded')?.state
    return {
      state: worst === 'bad' || worst === 'degraded' ? worst : 'good',
      parts: all,
      processes: processes(),
    }
  }
}

/** The disk of the broker, as the process sees it that has sent the last heartbeat. */
function reportedParts(processes: readonly ProcessRow[]): Part[] {
  const newest = processes
    .filter(({ parts }) => parts.length > 0)
    .toSorted((a, b) => b.aliveAt.getTime() - a.aliveAt.getTime())[0]
  return [...(newest?.parts ?? [noBrokerDisk])]
}

const rankOf = (state: SystemState): number => systemStates.indexOf(state)
