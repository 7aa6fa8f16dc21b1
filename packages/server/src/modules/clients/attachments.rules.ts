import type { AttachmentEnd, ClientLeaveReason, Technology } from '@manc/contract'
import type {
  ClientRow,
  EndedAttachment,
  LinkValues,
  Measurement,
  ReportingAccessPoint,
} from './clients.types.ts'

/** A message of an access point, with the ids of the clients. */
export interface Report {
  apId: string
  technology: Technology
  emulatedBy: string | null
  receivedMs: number
  isSnapshot: boolean
  joined: readonly (LinkValues & { id: string; sinceMs: number; measurement?: Measurement | undefined })[]
  left: readonly { id: string; atMs: number; reason: ClientLeaveReason }[]
}

interface ClientMove {
  id: string
  apId: string
  technology: Technology
  fromApId: string
  fromTechnology: Technology
}

/** An access point that has not confirmed a client for this long loses it to another one, whatever their clocks say. */
const confirmedForMs = 30_000
/** A client that attaches elsewhere within this time has moved. */
const moveWithinMs = 10_000
/** A later start than this is another attachment; a smaller difference is a rounded time. */
const sameAttachmentMs = 5000
/** Changes of the link that are stored: snapshots of unchanged clients write nothing. */
const stored = { db: 3, rateFactor: 1.5 }
/** A measurement is stored again after this time, if the limit allows it. Snapshots are at least 15 s apart. */
const refreshMs = 10_000

interface Known {
  clients: readonly ClientRow[]
  accessPoints: readonly ReportingAccessPoint[]
  /** Clients of one access point. */
  maxClients: number
  /** Whether a measurement of this age may be replaced by one that changes nothing else; without one the age is infinite. */
  takeRefresh: (apId: string, ageMs: number) => boolean
}

/** What reports change, in their order. Repeated and older reports change nothing. */
export class Attachments {
  readonly changed = new Set<ClientRow>()
  readonly ended: EndedAttachment[] = []
  readonly moves: ClientMove[] = []
  readonly dropped: ClientRow[] = []
  /** Clients that were not stored because of the limit. */
  readonly rejected = new Map<string, number>()
  readonly #rows: Map<string, ClientRow>
  readonly #accessPoints: Map<string, ReportingAccessPoint>
  readonly #changedAccessPoints = new Set<string>()
  readonly #maxClients: number
  readonly #takeRefresh: Known['takeRefresh']

  constructor({ clients, accessPoints, maxClients, takeRefresh }: Known) {
    this.#rows = new Map(clients.map((row) => [row.id, row]))
    this.#accessPoints = new Map(accessPoints.map((each) => [each.apId, each]))
    this.#maxClients = maxClients
    this.#takeRefresh = takeRefresh
  }

  get changedAccessPoints(): ReportingAccessPoint[] {
    return [...this.#changedAccessPoints].flatMap((apId) => this.#accessPoints.get(apId) ?? [])
  }

  apply(report: Report): void {
    const { apId, receivedMs } = report
    const accessPoint = this.#accessPointOf(apId, receivedMs)
    if (receivedMs > accessPoint.reportedAt.getTime()) accessPoint.reportedAt = new Date(receivedMs)
    this.#changedAccessPoints.add(apId)
    const joined = new Set(report.joined.map(({ id }) => id))
    for (const { id, atMs, reason } of report.left) {
      const row = this.#rows.get(id)
      if (row && !joined.has(id) && isHeldBy(row, apId) && row.claimedAt.getTime() <= receivedMs)
        this.#detach(row, atMs, reason, receivedMs)
    }
    for (const entry of report.joined) this.#join(report, entry)
    if (!report.isSnapshot) return
    for (const row of this.#rows.values())
      if (isHeldBy(row, apId) && !joined.has(row.id) && row.claimedAt.getTime() < receivedMs)
        this.#detach(row, receivedMs, 'missing', receivedMs)
    if (receivedMs > (accessPoint.snapshotAt?.getTime() ?? 0)) accessPoint.snapshotAt = new Date(receivedMs)
  }

  #join(report: Report, entry: Report['joined'][number]): void {
    const row = this.#rows.get(entry.id)
    if (row && isHeldBy(row, report.apId)) return this.#confirm(row, report, entry)
    if (row && !this.#isNewer(row, report, entry.sinceMs)) return
    if ((this.#accessPoints.get(report.apId)?.clients ?? 0) >= this.#maxClients) {
      this.rejected.set(report.apId, (this.rejected.get(report.apId) ?? 0) + 1)
      return
    }
    const from = row && moveFrom(row, report.apId, entry.sinceMs)
    if (row?.isAttached) this.#end(row, entry.sinceMs, 'moved')
    if (row && from)
      this.moves.push({
        id: entry.id,
        apId: report.apId,
        technology: report.technology,
        fromApId: from,
        fromTechnology: row.technology,
      })
    this.#attach(row, report, entry, from ?? null)
  }

  /** It is attached here already. */
  #confirm(row: ClientRow, report: Report, entry: Report['joined'][number]): void {
    if (
      entry.sinceMs > row.since.getTime() + sameAttachmentMs &&
      report.receivedMs > row.claimedAt.getTime()
    ) {
      this.#end(row, entry.sinceMs, 'left')
      return this.#attach(row, report, entry, null)
    }
    if (!isNotable(row, entry) && !this.#isRefreshed(row, report, entry)) return
    Object.assign(row, valuesOf(entry))
    if (isLaterMeasurement(row, report, entry, 0)) Object.assign(row, measurementOf(report, entry))
    this.changed.add(row)
  }

  #isRefreshed(row: ClientRow, report: Report, entry: Report['joined'][number]): boolean {
    if (!isLaterMeasurement(row, report, entry, refreshMs)) return false
    return this.#takeRefresh(
      report.apId,
      row.measuredAt ? report.receivedMs - row.measuredAt.getTime() : Number.POSITIVE_INFINITY,
    )
  }

  /** Whether a report is about a later attachment than the stored one. */
  #isNewer(row: ClientRow, { receivedMs }: Report, sinceMs: number): boolean {
    const claimedMs = row.claimedAt.getTime()
    if (!row.isAttached) return receivedMs > claimedMs || sinceMs >= row.since.getTime()
    if (sinceMs > row.since.getTime()) return true
    if (sinceMs === row.since.getTime()) return receivedMs > claimedMs
    const confirmedMs = Math.max(claimedMs, this.#accessPoints.get(row.apId)?.snapshotAt?.getTime() ?? 0)
    return receivedMs > confirmedMs + confirmedForMs
  }

  #attach(
    row: ClientRow | undefined,
    report: Report,
    entry: Report['joined'][number],
    fromApId: string | null,
  ): void {
    const { apId, technology, emulatedBy, receivedMs } = report
    const attached: ClientRow = Object.assign(row ?? ({} as ClientRow), {
      id: entry.id,
      apId,
      isAttached: true,
      technology,
      emulatedBy,
      since: new Date(entry.sinceMs),
      fromApId,
      ...valuesOf(entry),
      ended: null,
      claimedAt: new Date(receivedMs),
      ...measurementOf(report, entry),
    })
    this.#rows.set(entry.id, attached)
    this.#count(apId, 1, receivedMs)
    this.changed.add(attached)
  }

  #detach(row: ClientRow, atMs: number, reason: AttachmentEnd, receivedMs: number): void {
    this.#end(row, atMs, reason)
    row.isAttached = false
    row.since = new Date(Math.max(atMs, row.since.getTime()))
    row.ended = reason
    row.claimedAt = new Date(receivedMs)
    this.changed.add(row)
    if (reason === 'dropped') this.dropped.push({ ...row })
  }

  #end(row: ClientRow, untilMs: number, ended: AttachmentEnd): void {
    const { id, apId, technology, since, fromApId, signalDbm, snrDb, rateMbps } = row
    const until = new Date(Math.max(untilMs, since.getTime()))
    this.ended.push({
      clientId: id,
      apId,
      technology,
      since,
      until,
      fromApId,
      ended,
      signalDbm,
      snrDb,
      rateMbps,
    })
    this.#count(apId, -1, row.claimedAt.getTime())
  }

  #count(apId: string, by: number, receivedMs: number): void {
    const accessPoint = this.#accessPointOf(apId, receivedMs)
    accessPoint.clients = Math.max(0, accessPoint.clients + by)
    this.#changedAccessPoints.add(apId)
  }

  #accessPointOf(apId: string, receivedMs: number): ReportingAccessPoint {
    const known = this.#accessPoints.get(apId)
    if (known) return known
    const added = { apId, clients: 0, reportedAt: new Date(receivedMs), snapshotAt: null }
    this.#accessPoints.set(apId, added)
    return added
  }
}

const isHeldBy = (row: ClientRow, apId: string) => row.isAttached && row.apId === apId

/** The access point that the client has moved from. */
function moveFrom(row: ClientRow, apId: string, sinceMs: number): string | undefined {
  if (row.apId === apId) return undefined
  const hasJustLeft =
    sinceMs <= row.since.getTime() + moveWithinMs && row.ended !== 'offline' && row.ended !== 'agent_removed'
  return row.isAttached || hasJustLeft ? row.apId : undefined
}

const valuesOf = ({ signalDbm, snrDb, rateMbps }: LinkValues): LinkValues => ({ signalDbm, snrDb, rateMbps })

/** An entry has a measurement that is later than the stored one by this time. */
function isLaterMeasurement(
  { measuredAt }: ClientRow,
  { receivedMs }: Report,
  { measurement }: Report['joined'][number],
  byMs: number,
): boolean {
  return measurement !== undefined && (measuredAt === null || receivedMs > measuredAt.getTime() + byMs)
}

const measurementOf = (
  { receivedMs }: Report,
  { measurement }: Report['joined'][number],
): Measurement & Pick<ClientRow, 'measuredAt'> => ({
  measuredAt: measurement ? new Date(receivedMs) : null,
  throughputMbps: measurement?.throughputMbps ?? null,
  heard: measurement?.heard ?? null,
})

function isNotable(before: LinkValues, after: LinkValues): boolean {
  const differs = (a: number | null, b: number | null) =>
    a === null || b === null ? a !== b : Math.abs(a - b) >= stored.db
  const [slow, fast] = [before.rateMbps ?? 0, after.rateMbps ?? 0].sort((a, b) => a - b) as [number, number]
  return (
    differs(before.signalDbm, after.signalDbm) ||
    differs(before.snrDb, after.snrDb) ||
    (before.rateMbps === null) !== (after.rateMbps === null) ||
    fast > slow * stored.rateFactor
  )
}
