import type {
  CommandVerdict,
  Decision,
  DecisionMode,
  DecisionState,
  ExpectedEffect,
  JobState,
  MeasuredEffect,
} from '@manc/contract'

interface DecisionCommandRow {
  apId: string
  command: string
  verdict: CommandVerdict | null
  detail: string | null
  jobNumber: string | null
  state: JobState | null
  /** JSON text. */
  result: string | null
  /** As JSON has it. */
  endedAt: string | null
}

export interface DecisionRow {
  id: string
  owner: string
  ownerKind: 'app' | 'user'
  ownerName: string
  policy: string
  mode: DecisionMode
  state: DecisionState
  reason: string
  client: string | null
  observed: Decision['observed']
  expected: ExpectedEffect[]
  commands: DecisionCommandRow[]
  jobNumber: string | null
  measured: MeasuredEffect[] | null
  reverts: string | null
  revertedBy: string | null
  createdAt: Date
  expiresAt: Date | null
  decidedBy: string | null
  decidedAt: Date | null
  executedAt: Date | null
  measureAt: Date | null
  measuredAt: Date | null
}

export type NewDecision = Pick<
  DecisionRow,
  | 'id'
  | 'owner'
  | 'ownerKind'
  | 'ownerName'
  | 'policy'
  | 'mode'
  | 'reason'
  | 'client'
  | 'observed'
  | 'expected'
  | 'reverts'
> & {
  key: string | undefined
  commands: readonly { apId: string; command: string; client: string | null }[]
  expiresInS: number
}

/** The decisions that a caller may read. */
export interface DecisionView {
  /** Of an app: only its own, if its id patterns cover every access point. Undefined: all. */
  app: { id: string; patterns: readonly string[] } | undefined
}

export interface DecisionFilter {
  view: DecisionView
  owner?: string
  apId?: string
  client?: string
  states?: readonly DecisionState[]
  from?: Date
  to?: Date
}

/** What a worker needs to expire or measure a decision. */
export interface DueDecision {
  id: string
  state: DecisionState
  /** When its commands were sent; of one that was only recorded, when that was. */
  startedAt: Date
  measureAt: Date | null
  expected: ExpectedEffect[]
}
