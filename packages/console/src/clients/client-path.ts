import type { Attachment, AttachmentEnd, Client, Technology } from '@manc/sdk'
import type { Period } from '../range/time-range.ts'
import { technologies } from '../ui/theme.ts'

/** An attachment of a client, ended or not. */
export interface Visit extends Pick<Client, 'signal_dbm' | 'snr_db' | 'rate_mbps'> {
  apId: string
  technology: Technology
  sinceMs: number
  /** Now, if it is attached. */
  untilMs: number
  fromApId: string | null
  /** Null: it is attached. */
  ended: AttachmentEnd | null
}

/** A client came from another access point. */
export interface Move {
  atMs: number
  fromApId: string
  to: Visit
  /** Undefined if the attachment before is not known. */
  from: Visit | undefined
}

/** The attachments of a client that overlap with a period, the newest first. */
export function visitsOf(
  client: Client,
  history: readonly Attachment[],
  { fromMs, toMs }: Period,
  nowMs: number,
): Visit[] {
  const ended = history.map((attachment) => ({
    ...placeOf(attachment),
    untilMs: Date.parse(attachment.until),
    ended: attachment.ended,
  }))
  const sinceMs = Date.parse(client.since)
  // The clock of the access point may be ahead.
  const current = { ...placeOf(client), untilMs: Math.max(nowMs, sinceMs), ended: null }
  return [...(client.is_attached ? [current] : []), ...ended]
    .toSorted((a, b) => b.sinceMs - a.sinceMs)
    .map(withMove)
    .filter((visit) => visit.untilMs >= fromMs && visit.sinceMs <= toMs)
}

/** The old access point may report that a client is gone before the new one reports it: only the next attachment has the move. */
function withMove(visit: Visit, n: number, newestFirst: readonly Visit[]): Visit {
  const isGone = visit.ended === 'left' || visit.ended === 'missing'
  return isGone && newestFirst[n - 1]?.fromApId === visit.apId ? { ...visit, ended: 'moved' } : visit
}

const placeOf = (place: Client | Attachment) => ({
  apId: place.ap_id,
  technology: place.technology,
  sinceMs: Date.parse(place.since),
  fromApId: place.from_ap_id,
  signal_dbm: place.signal_dbm,
  snr_db: place.snr_db,
  rate_mbps: place.rate_mbps,
})

/** The moves between attachments, the newest first. */
export const movesOf = (visits: readonly Visit[]): Move[] =>
  visits.flatMap((visit, n) => {
    if (visit.fromApId === null) return []
    const before = visits[n + 1]
    const from = before?.apId === visit.fromApId ? before : undefined
    return { atMs: visit.sinceMs, fromApId: visit.fromApId, to: visit, from }
  })

/** Between technologies. Not known if the attachment before is not. */
export const isHandover = ({ from, to }: Move): boolean =>
  from !== undefined && from.technology !== to.technology

export const within = ({ fromMs, toMs }: Period, ms: number): boolean => ms >= fromMs && ms <= toMs

/** How often each pair of access points was the start and the end of a move. */
export function pathsOf(moves: readonly Move[]): { from: string; to: string; count: number }[] {
  const byPair = Map.groupBy(moves, ({ fromApId, to }) => JSON.stringify([fromApId, to.apId]))
  return [...byPair.values()].map((same) => ({
    from: same[0]?.fromApId ?? '',
    to: same[0]?.to.apId ?? '',
    count: same.length,
  }))
}

/** What has a lane of its own in the timeline. */
export type LaneKind = 'technology' | 'access-point'

interface Lane {
  /** Technology, or id of the access point. */
  key: string
  technology: Technology
  apId: string | undefined
}

/** More would not fit on a screen. */
const maxLanes = 16

export const laneKeyOf = (kind: LaneKind, { technology, apId }: Visit): string =>
  kind === 'technology' ? technology : apId

/** By technology, then by id. Of many access points those that were used last; `hidden` is the number of the others. */
export function lanesOf(kind: LaneKind, visits: readonly Visit[]): { lanes: Lane[]; hidden: number } {
  const used = new Map(visits.map((visit) => [laneKeyOf(kind, visit), visit]))
  // A map has its keys in the order in which they were first set: the newest first.
  const lanes = [...used].slice(0, maxLanes).map(([key, { technology, apId }]) => ({
    key,
    technology,
    apId: kind === 'technology' ? undefined : apId,
  }))
  return { lanes: lanes.toSorted(byTechnology), hidden: used.size - lanes.length }
}

const byTechnology = (a: Lane, b: Lane): number =>
  technologies.indexOf(a.technology) - technologies.indexOf(b.technology) ||
  a.key.localeCompare(b.key, 'en', { numeric: true })
