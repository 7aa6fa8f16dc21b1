import type { AttachedClient } from '@manc/sdk/agent'
import type { Readings } from '../driver.ts'

export type { Readings } from '../driver.ts'

/** Readings of one part of this machine. A plug-in is a module that exports one as `source`. */
export interface Source {
  /** Used in logs and in `sources` of the settings. */
  name: string
  /** Whether it is available. Called once, at the start. */
  probe(): Promise<boolean>
  /** The current readings. If it rejects, it is left out of the sample, and the failure is logged once. */
  read(): Promise<Readings>
  /** The clients at the last reading. Undefined, also of a source that is no access point: it has none to report. */
  clients?(): readonly AttachedClient[] | undefined
}
