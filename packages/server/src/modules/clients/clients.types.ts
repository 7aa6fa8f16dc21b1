import type { AttachmentEnd, ClientOrder, ClientState, EmulatedChoice, Technology } from '@manc/contract'

/** The last values of a link. */
export interface LinkValues {
  signalDbm: number | null
  snrDb: number | null
  rateMbps: number | null
}

/** What policies need of a client. It changes all the time: only the last one is stored, at a limited rate. */
export interface Measurement {
  throughputMbps: number | null
  /** Signals by access point. */
  heard: Readonly<Record<string, number>> | null
}

/** A row of `clients`. */
export interface ClientRow extends LinkValues, Measurement {
  id: string
  /** The access point that it is attached to, or was attached to last. */
  apId: string
  isAttached: boolean
  technology: Technology
  emulatedBy: string | null
  /** Start of the attachment; of a client that is not attached: its end. By the clock of the agent. */
  since: Date
  fromApId: string | null
  ended: AttachmentEnd | null
  /** When the broker received the message that began or ended the attachment. */
  claimedAt: Date
  /** When the broker received the measurement; null without one. */
  measuredAt: Date | null
}

/** A new or changed row. */
export interface ChangedClient extends ClientRow {
  /** Of a client that was not known. */
  sealedName: Buffer | null
}

/** An attachment that has ended. */
export interface EndedAttachment extends LinkValues {
  clientId: string
  apId: string
  technology: Technology
  since: Date
  until: Date
  fromApId: string | null
  ended: AttachmentEnd
}

/** A row of `client_history`. */
export interface HistoryRow extends Omit<EndedAttachment, 'clientId'> {
  recordedAt: Date
  seq: string
}

/** A row of `client_access_points`. */
export interface ReportingAccessPoint {
  apId: string
  clients: number
  reportedAt: Date
  snapshotAt: Date | null
}

/** The clients that a caller sees. */
export interface ClientView {
  /** Id patterns of the agents that an app may see; undefined: all agents. */
  patterns: readonly string[] | undefined
  emulated: EmulatedChoice
  owner: string
}

export interface ClientFilter {
  view: ClientView
  state: ClientState
  apId?: string
  technologies?: readonly Technology[]
  place?: string
  /** Begin of the id. */
  prefix?: string
}

/** The last client of a page. */
export interface ClientPosition {
  sinceMs: number
  id: string
}

export interface ClientPage {
  sort: ClientOrder
  after: ClientPosition | undefined
  limit: number
}

export interface HistoryPosition {
  recordedMs: number
  seq: string
}

export interface HistoryPage {
  patterns: readonly string[] | undefined
  from?: Date
  to?: Date
  after: HistoryPosition | undefined
  limit: number
}

/** The time over which the mean throughput of a client is taken. */
export const meanOverS = 300

/** A client of an access point, as it was measured last. */
export interface MeasuredClient extends LinkValues, Measurement {
  apId: string
  /** Over about five minutes. */
  meanMbps: number | null
}
