import type {
  ExperimentFigureValues,
  ExperimentKind,
  ExperimentRunState,
  ExperimentSeries,
  ExperimentState,
  ShownExperimentWorld,
  SteeringPolicy,
  WhatIfCommand,
} from '@manc/contract'
import type { NetworkPlace } from '@manc/contract/experiment-messages'

export interface ExperimentRow {
  id: string
  owner: string
  ownerKind: 'app' | 'user'
  ownerName: string
  name: string
  kind: ExperimentKind
  world: ShownExperimentWorld
  /** Of a what-if: what the policy `command` executes. */
  command: WhatIfCommand | null
  /** Names of all policies, in their order. */
  policies: string[]
  documents: SteeringPolicy[]
  seed: string
  repetitions: number
  /** Null: the time of the named world. */
  durationS: number | null
  state: ExperimentState
  runs: number
  finished: number
  failed: number
  createdAt: Date
  endedAt: Date | null
  expiresAt: Date
}

export type NewExperiment = Pick<
  ExperimentRow,
  | 'id'
  | 'owner'
  | 'ownerKind'
  | 'ownerName'
  | 'name'
  | 'kind'
  | 'world'
  | 'command'
  | 'policies'
  | 'documents'
  | 'seed'
  | 'repetitions'
  | 'durationS'
> & {
  key: string | undefined
  /** Of a what-if: the access points of the network. */
  places: NetworkPlace[] | null
  runs: readonly NewRun[]
}

export interface NewRun {
  id: string
  policy: string
  seed: string
}

export interface RunRow {
  run: number
  policy: string
  seed: string
  state: ExperimentRunState
  progressPct: number
  attempts: number
  detail: string | null
  figures: ExperimentFigureValues | null
}

export interface RunSeriesRow extends RunRow {
  series: ExperimentSeries | null
}

/** The experiments that a caller may read. */
export interface ExperimentView {
  /** Of an app: only its own. Undefined: all. */
  owner: string | undefined
}

export interface ExperimentFilter {
  view: ExperimentView
  ownerName?: string
  states?: readonly ExperimentState[]
}

/** A run to offer to emulators. */
export interface OfferedRun {
  id: string
  policy: string
  seed: string
  world: ShownExperimentWorld
  places: NetworkPlace[] | null
  command: WhatIfCommand | null
  documents: SteeringPolicy[]
  durationS: number | null
}

/** A run whose experiment is locked as well. */
export interface LockedRun {
  id: string
  experimentId: string
  state: ExperimentRunState
  attempts: number
  emulator: string | null
  isLeased: boolean
  digest: string | null
}
