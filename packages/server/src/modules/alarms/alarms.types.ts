import type {
  AlarmMetric,
  AlarmOperator,
  AlarmSeverity,
  EmulatedChoice,
  InhibitedBy,
  Technology,
} from '@manc/contract'

export interface RuleRow {
  id: string
  name: string
  severity: AlarmSeverity
  metric: AlarmMetric
  expr: string | null
  raiseOp: AlarmOperator | null
  raiseThreshold: number | null
  raiseForS: number
  clearThreshold: number | null
  clearForS: number
  technologies: Technology[]
  apIds: string[]
  isEnabled: boolean
  isBuiltin: boolean
  revision: number
  updatedAt: Date
  updatedBy: string | null
}

export type NewRule = Omit<RuleRow, 'revision' | 'updatedAt'>

/** What a rule compares its value with. */
export interface Condition {
  op: AlarmOperator
  raise: number
  clear: number
}

export interface AlarmRow {
  id: string
  ruleId: string
  ruleName: string
  severity: AlarmSeverity
  metric: AlarmMetric
  apId: string
  technology: Technology
  /** Owner of the emulated agent, also after it is removed. */
  emulatedBy: string | null
  value: number | null
  raisedAt: Date
  clearedAt: Date | null
  clearReason: ClearReason | null
  isFlapping: boolean
  /** Null if it is not inhibited now, or not open. */
  inhibitedBy: InhibitedBy | null
  /** Null if it is not silenced now, or not open. */
  silencedUntil: Date | null
  acknowledgedBy: string | null
  acknowledgedAt: Date | null
  comment: string | null
  assignee: string | null
}

/** What events tell about an alarm. */
export type ChangedAlarm = Pick<
  AlarmRow,
  'id' | 'ruleId' | 'ruleName' | 'severity' | 'apId' | 'emulatedBy' | 'value' | 'isFlapping'
>

export type ClearedAlarm = ChangedAlarm & { clearReason: ClearReason }

type ClearReason = 'recovered' | 'agent_removed' | 'rule_disabled' | 'rule_deleted'

/** That an alarm was raised or cleared, and how it is now: what is needed to find who is notified. */
export interface AlarmChange {
  id: string
  isRaised: boolean
  alarm: Pick<AlarmRow, 'id' | 'ruleId' | 'severity' | 'apId' | 'technology' | 'emulatedBy' | 'clearedAt'>
}

/** An alert of vmalert that is firing. */
export interface FiringAlert {
  ruleId: string
  revision: number
  apId: string
  value: number | null
}

/** An open alarm of a rule with a value. */
export interface OpenAlarm {
  id: string
  apId: string
  isFlapping: boolean
}

export interface Acknowledgement {
  view: AlarmView
  ids: readonly string[]
  by: string
  /** Undefined: the stored one stays. */
  comment: string | undefined
}

/** The alarms that a caller sees. */
export interface AlarmView {
  /** Id patterns of the agents that an app may see; undefined: all agents. */
  patterns: readonly string[] | undefined
  emulated: EmulatedChoice
  /** Id of the caller, who owns some of the emulated agents. */
  owner: string
}

export interface AlarmFilter {
  view: AlarmView
  state: 'open' | 'cleared' | 'all'
  severities?: readonly AlarmSeverity[]
  apId?: string
  ruleId?: string
  technologies?: readonly Technology[]
  isAcknowledged?: boolean
  isSilenced?: boolean
  isInhibited?: boolean
  /** Alarms that were open between these times. */
  from?: Date
  to?: Date
}

/** Open alarms of one severity, each counted as one of these. */
export interface AlarmCount {
  severity: AlarmSeverity
  kind: 'acknowledged' | 'unacknowledged' | 'silenced' | 'inhibited'
  alarms: number
}
