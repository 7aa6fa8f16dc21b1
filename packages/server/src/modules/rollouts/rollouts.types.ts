import type { RolloutAgentState, RolloutState } from '@manc/contract'

export interface Rollout {
  id: string
  /** The user in whose name it is done. */
  owner: string
  ownerName: string
  createdBy: string
  title: string
  /** JSON text of a merge patch. */
  change: string
  state: RolloutState
  detail: string | null
  agents: number
  stage: number
  isObserving: boolean
  waitS: number
  maxFailures: number
  /** Failures until it was resumed. */
  forgiven: number
  /** Number of agents by state. */
  progress: Record<RolloutAgentState, number>
  dueAt: Date
  /** Number of the lease. */
  lease: number
  createdAt: Date
  stateAt: Date
}

export interface NewRollout {
  id: string
  owner: string
  ownerName: string
  title: string
  change: string
  waitS: number
  maxFailures: number
}

export interface RolloutAgent {
  apId: string
  stage: number
  state: RolloutAgentState
  detail: string | null
  version: number | null
  at: Date | null
}

/** An agent that was changed. */
export interface ChangedAgent {
  apId: string
  agentId: string
  version: number
}

/** What became of one agent. */
export interface AgentOutcome {
  state: RolloutAgentState
  detail: string | null
  /** What was written. */
  written?: { agentId: string; version: number; wasWell: boolean }
}

/** Who starts, resumes or undoes a rollout. */
export interface RolloutOwner {
  id: string
  name: string
}
