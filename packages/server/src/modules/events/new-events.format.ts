import type {
  AgentState,
  DecisionState,
  EmulationPhase,
  EventKind,
  EventSeverity,
  HealthReason,
  JobState,
  KpiHealth,
  MeasuredEffect,
} from '@manc/contract'
import type { NewEvent } from './events.types.ts'

const stateSeverities: Record<AgentState, EventSeverity> = {
  online: 'info',
  stale: 'warning',
  offline: 'critical',
}

/** Presence has changed. */
export const presenceEvent = (apId: string, state: AgentState): NewEvent => ({
  ...ofAgent(state, apId),
  severity: stateSeverities[state],
})

const healthSeverities: Record<KpiHealth, EventSeverity> = {
  good: 'info',
  unknown: 'info',
  degraded: 'warning',
  bad: 'critical',
}

/** The health of an agent has changed, for these reasons. */
export const healthEvent = (
  apId: string,
  { from, to, reasons }: { from: KpiHealth; to: KpiHealth; reasons: readonly HealthReason[] },
): NewEvent => ({
  ...ofAgent('health', apId, { from, to, reasons }),
  severity: healthSeverities[to],
})

/** The agent has sent something for the first time. */
export const onboardedEvent = (apId: string): NewEvent => ofAgent('onboarded', apId)

export const configuredEvent = (apId: string, by: string): NewEvent => ({
  ...ofAgent('configured', apId),
  subject: by,
})

/** The agent reports another version of its software or firmware. */
export const versionChangedEvent = (
  apId: string,
  { name, from, to }: { name: string; from: string; to: string },
): NewEvent => ofAgent('version_changed', apId, { name, from, to })

const maxNameLength = 64

/** A command has reached its outcome. Its arguments may be secrets: only the first word is stored. */
export function commandEvent(change: {
  apId: string
  jobNumber: string
  command: string
  state: JobState
}): NewEvent {
  const [name = ''] = change.command.trim().split(/\s/, 1)
  const isWanted = ['succeeded', 'superseded', 'skipped'].includes(change.state)
  return {
    ...ofAgent('command', change.apId, { command: name.slice(0, maxNameLength), outcome: change.state }),
    severity: isWanted ? 'info' : 'warning',
    subject: change.jobNumber,
  }
}

interface EndedEmulation {
  jobNumber: string
  owner: string
  agents: number
}

export const emulationStartedEvent = ({ jobNumber, owner, agents }: EndedEmulation): NewEvent => ({
  kind: 'emulation_started',
  severity: 'info',
  apId: null,
  emulatedBy: owner,
  subject: jobNumber,
  data: { agents },
})

/** A phase of its scenario begins. */
export const emulationPhaseEvent = (begun: {
  jobNumber: string
  owner: string
  phase: EmulationPhase
  scenario: string
}): NewEvent => ({
  kind: 'emulation_phase',
  severity: 'info',
  apId: null,
  emulatedBy: begun.owner,
  subject: begun.jobNumber,
  data: { phase: begun.phase, scenario: begun.scenario },
})

export const emulationEndedEvent = (
  emulation: EndedEmulation & { outcome: 'finished' | 'stopped' | 'failed' },
): NewEvent => ({
  ...emulationStartedEvent(emulation),
  kind: 'emulation_ended',
  severity: emulation.outcome === 'failed' ? 'warning' : 'info',
  data: { agents: emulation.agents, outcome: emulation.outcome },
})

export const adminLoginEvent = (name: string, address: string | undefined): NewEvent => ({
  kind: 'admin_login',
  severity: 'info',
  apId: null,
  subject: name,
  data: { ...(address !== undefined && { address }) },
})

/** A client has moved to another access point: a handover if its technology differs. */
export const clientMovedEvent = (
  apId: string,
  move: { client: string; from: string; fromTechnology: string; technology: string },
): NewEvent => ({
  ...ofAgent(move.fromTechnology === move.technology ? 'roamed' : 'handover', apId, {
    from: move.from,
    from_technology: move.fromTechnology,
    technology: move.technology,
  }),
  subject: move.client,
  hasOwnLimit: true,
})

export const clientDroppedEvent = (apId: string, client: string): NewEvent => ({
  ...ofAgent('dropped', apId),
  severity: 'warning',
  subject: client,
  hasOwnLimit: true,
})

/** A decision about an access point has reached a state. */
export const decisionEvent = (
  apId: string,
  decision: {
    id: string
    owner: string
    policy: string
    state: DecisionState
    /** Of this access point. */
    measured: readonly MeasuredEffect[]
  },
): NewEvent => ({
  ...ofAgent('decision', apId, {
    decision_id: decision.id,
    policy: decision.policy,
    state: decision.state,
    ...(decision.measured.length > 0 && {
      measured: decision.measured.map(({ kpi, before, after }) => ({ kpi, before, after })),
    }),
  }),
  subject: decision.owner,
})

/** Instead of further events of the agent in this hour. They are counted in it later. */
export const suppressedEvent = (apId: string, limit: number): NewEvent => ({
  ...ofAgent('suppressed', apId, { limit, count: 1 }),
  severity: 'warning',
})

const ofAgent = (kind: EventKind, apId: string, data: Record<string, unknown> = {}): NewEvent => ({
  kind,
  severity: 'info',
  apId,
  subject: null,
  data,
})
