import type { SilenceState, Technology } from '@manc/contract'

interface SilenceScope {
  ruleIds: readonly string[]
  technologies: readonly Technology[]
  /** Id patterns. */
  apIds: readonly string[]
}

/** Weekly windows. */
interface Recurrence {
  /** ISO days of the week: Monday is 1. */
  days: readonly number[]
  /** Local time, such as 02:00. */
  startTime: string
  durationMin: number
  timeZone: string
}

export interface NewSilence extends SilenceScope {
  id: string
  comment: string
  /** Undefined: now. */
  startsAt: Date | undefined
  endsAt: Date | null
  recurrence: Recurrence | null
  /** Id of the user or app. */
  owner: string
  createdBy: string
}

export interface SilenceRow extends SilenceScope {
  id: string
  comment: string
  startsAt: Date
  endsAt: Date | null
  /** As in `Recurrence`; all are null, or none is. */
  days: readonly number[] | null
  startTime: string | null
  durationMin: number | null
  timeZone: string | null
  owner: string
  createdBy: string
  createdAt: Date
  state: SilenceState
  activeUntil: Date | null
  nextStartAt: Date | null
}

/** The silences that a caller sees. */
export interface SilenceView {
  /** Id of the caller. */
  owner: string
  /** Id patterns of the agents that an app may see; undefined: all silences, also those of others, can be changed. */
  patterns: readonly string[] | undefined
}
