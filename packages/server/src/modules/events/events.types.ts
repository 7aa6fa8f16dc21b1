import {
  type EmulatedChoice,
  type EventKind,
  type EventPosition,
  type EventSeverity,
  eventKinds,
} from '@manc/contract'

/** An event to append. */
export interface NewEvent {
  kind: EventKind
  severity: EventSeverity
  apId: string | null
  /** Owner of the emulation that it is about, if there is no agent. Of an agent it is known. */
  emulatedBy?: string
  /** Name of the caller who caused it, or the number of its job. */
  subject: string | null
  /** Small, and without secrets: every user can read it. */
  data: Record<string, unknown>
  /** It does not count against the events of its agent: the module that appends it limits them. */
  hasOwnLimit?: true
}

export interface EventRow {
  at: Date
  transaction: string
  seq: string
  kind: EventKind
  severity: EventSeverity
  apId: string | null
  emulatedBy: string | null
  subject: string | null
  data: Record<string, unknown>
}

/** The events that a caller sees. */
export interface EventView {
  /** Id patterns of the agents that an app may see; undefined: all agents. */
  patterns: readonly string[] | undefined
  emulated: EmulatedChoice
  /** Id of the caller, who owns some of the emulations. */
  owner: string
  /** Kinds that are not for this caller. */
  hiddenKinds: readonly EventKind[]
}

/** What a caller has chosen of them. */
export interface EventChoice {
  apId?: string
  kinds?: readonly EventKind[]
  severities?: readonly EventSeverity[]
}

export interface EventFilter extends EventChoice {
  view: EventView
  from?: Date
  to?: Date
}

export const positionOf = ({ at, transaction, seq }: EventRow): EventPosition => ({
  atMs: at.getTime(),
  transaction: BigInt(transaction),
  seq: BigInt(seq),
})

/** Kinds that only administrators see. */
export const adminKinds: readonly EventKind[] = ['admin_login']
/** Kinds that apps see only with the scope `decisions:read`. */
export const decisionKinds: readonly EventKind[] = ['decision']
/** Kinds that apps see only with the scope `alarms:read`. */
export const alarmKinds: readonly EventKind[] = eventKinds.filter((kind) => kind.startsWith('alarm_'))
/** Kinds that apps see only with the scope `clients:read`. */
export const clientKinds: readonly EventKind[] = ['handover', 'roamed', 'dropped']
