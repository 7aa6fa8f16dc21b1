import type { AgentState, EventKind, EventSeverity, JobState } from '@manc/contract'
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

/** Health levels, in the order of their severities. */
type HealthLevel = 'good' | 'degraded' | 'bad' | 'unknown'

const healthSeverities: Record<HealthLevel, EventSeverity> = {
  good: 'info',
  unknown: 'info',
  degraded: 'warning',
  bad: 'critical',
}

/** The health of an agent has changed; `metric` is the one that decided. */
export const healthEvent = (
  apId: string,
  { from, to, metric }: { from: HealthLevel; to: HealthLevel; metric?: string },
): NewEvent => ({
  ...ofAgent('health', apId, { from, to, ...(metric !== undefined && { metric }) }),
  severity: healthSeverities[to],
})

/** The agent has sent something for the first time. */
export const onboardedEvent = (apId: string): NewEvent => ofAgent('onboarded', apId)

export const configuredEvent = (apId: string, by: string): NewEvent => ({
  ...ofAgent('configured', apId),
  subject: by,
})

const maxNameLength = 64

/** A command has reached its outcome. Its arguments may be secrets: only the first word is stored. */
export function commandEvent(change: {
  apId: string
  jobNumber: string
  command: string
  state: JobState
}): NewEvent {
  const [name = ''] = change.command.trim().split(/\s/, 1)
  const isWanted = change.state === 'succeeded' || change.state === 'superseded'
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
