import type { SystemState } from '@manc/contract'

/** A part of the controller, and what was found about it. */
export interface Part {
  id: string
  name: string
  state: SystemState
  reason: string
  nextStep?: string
  /** Name of a file in docs/operations, without its ending. */
  runbook?: string
  since?: Date
  figures?: Record<string, number>
}

/** What a part is called, and how its figures become its state. */
export interface PartSource {
  id: string
  name: string
  /** For how long a result is used again. */
  keepMs?: number
  read: () => Promise<Omit<Part, 'id' | 'name'>>
}

export interface EngineState {
  /** As in `/readyz`: `postgres`, `rabbitmq`, `victoriametrics`, or `victoriametrics-2` with several stores. Or `mail`. */
  name: string
  /** Undefined until it was checked. */
  isUp?: boolean
  since?: Date
}

/** What a process reports with its heartbeat. */
export interface ProcessReport {
  id: string
  host: string
  roles: string[]
  version: string
  engines: readonly EngineState[]
  /** Those that only some processes have the credentials for. */
  parts: readonly Part[]
}

export interface ProcessRow extends ProcessReport {
  startedAt: Date
  aliveAt: Date
  isAlive: boolean
}
