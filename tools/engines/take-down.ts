import { rmSync } from 'node:fs'
import { releaseSharedMemory } from './postgres-shared-memory.ts'
import { type EngineName, loadState, markOf } from './state.ts'
import { endEngine } from './stop-engine.ts'

export interface TakeDownOrder {
  readonly mark: string
  readonly setDir: string
  readonly dataDir: string
  readonly engines: readonly EngineName[]
}

export async function endEngines({ mark, engines }: TakeDownOrder, how: 'stop' | 'drop'): Promise<void> {
  await Promise.all(engines.map((engine) => endEngine(mark, engine, how)))
}

export function removeData({ mark, setDir, dataDir }: TakeDownOrder): void {
  releaseSharedMemory(dataDir)
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  // Another set may have taken the name in the meantime.
  const state = loadState(setDir)
  if (!state || markOf(state) === mark) rmSync(setDir, { recursive: true, force: true, maxRetries: 5 })
}
