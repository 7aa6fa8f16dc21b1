import { rmSync } from 'node:fs'
import { releaseSharedMemory } from './postgres-shared-memory.ts'
import { loadState, markOf, type SetState } from './state.ts'
import { endEngine, type UnitMark, unitMark } from './stop-engine.ts'
import { epmdMarkOf, isCluster, type Unit, unitsOf } from './units.ts'

export interface TakeDownOrder {
  readonly mark: string
  readonly setDir: string
  readonly dataDir: string
  /** Each with its data folder. */
  readonly units: readonly (UnitMark & { readonly dataDir: string })[]
  /** Ended after the units. */
  readonly shared: readonly UnitMark[]
}

/** An order for these units of a set. It is shown in a command line, so it has no passwords. */
export function orderOf(state: SetState, setDir: string, units: readonly Unit[]): TakeDownOrder {
  const hasEpmd = isCluster(state) && units.length === unitsOf(state).length
  return {
    mark: markOf(state),
    setDir,
    dataDir: state.dataDir,
    units: units.map((unit) => ({ ...unitMark(unit), dataDir: unit.state.dataDir })),
    shared: hasEpmd ? [{ kind: 'rabbitmq', mark: epmdMarkOf(state, state) }] : [],
  }
}

export async function endEngines({ units, shared }: TakeDownOrder, how: 'stop' | 'drop'): Promise<void> {
  await Promise.all(units.map((unit) => endEngine(unit, how)))
  await Promise.all(shared.map((unit) => endEngine(unit, how)))
}

export function removeData({ mark, setDir, dataDir, units }: TakeDownOrder): void {
  for (const unit of units) releaseSharedMemory(unit.dataDir)
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  // Another set may have taken the name in the meantime.
  const state = loadState(setDir)
  if (!state || markOf(state) === mark) rmSync(setDir, { recursive: true, force: true, maxRetries: 5 })
}
