import {
  apIdPattern,
  type ClientLeaveReason,
  clientLeaveReasons,
  maxHeardAccessPoints,
  maxReportedClients,
} from '@manc/contract'
import type { LinkValues, Measurement } from './clients.types.ts'

interface ReportedClient extends LinkValues {
  name: string
  sinceMs: number
  /** Undefined if the entry has none. */
  measurement: Measurement | undefined
}

interface ReportedLeave {
  name: string
  atMs: number
  reason: ClientLeaveReason
}

/** A message of an agent about its clients. */
interface ClientReport {
  isSnapshot: boolean
  joined: ReportedClient[]
  left: ReportedLeave[]
  /** Entries that cannot be understood. */
  rejected: number
}

const maxNameLength = 128
const isApId = new RegExp(apIdPattern)
const isStorable = /^[^\p{Cc}\s]+$/u
const mac =
  /^([\da-f]{2})[:-]?([\da-f]{2})[:-]?([\da-f]{2})[:-]?([\da-f]{2})[:-]?([\da-f]{2})[:-]?([\da-f]{2})$/i

/**
 * Reads a message. Undefined if it is none. An entry that cannot be understood is left out and counted: the others are
 * correct. Times in the future are replaced by that of the receipt: no agent can keep a client by a clock that is wrong.
 */
export function readReport(text: string, receivedMs: number): ClientReport | undefined {
  const message = objectOf(text)
  if (!message) return undefined
  const { snapshot, joined = [], left = [] } = message
  if (!Array.isArray(joined) || !Array.isArray(left)) return undefined
  if (joined.length > maxReportedClients || left.length > maxReportedClients) return undefined
  const joins = joined.map((entry) => joinOf(entry, receivedMs))
  const leaves = left.map((entry) => leaveOf(entry, receivedMs))
  const report = {
    isSnapshot: snapshot === true,
    joined: joins.filter((each) => each !== undefined),
    left: leaves.filter((each) => each !== undefined),
  }
  return { ...report, rejected: joins.length + leaves.length - report.joined.length - report.left.length }
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    return recordOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

const recordOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined

function joinOf(entry: unknown, receivedMs: number): ReportedClient | undefined {
  const fields = recordOf(entry)
  const name = nameOf(fields?.['client'])
  if (!fields || name === undefined) return undefined
  return {
    name,
    sinceMs: timeOf(fields['since'], receivedMs),
    signalDbm: numberOf(fields['signal_dbm']),
    snrDb: numberOf(fields['snr_db']),
    rateMbps: numberOf(fields['rate_mbps']),
    measurement: measurementOf(fields),
  }
}

function leaveOf(entry: unknown, receivedMs: number): ReportedLeave | undefined {
  const fields = recordOf(entry)
  const name = nameOf(fields?.['client'])
  if (!fields || name === undefined) return undefined
  const reason = clientLeaveReasons.find((each) => each === fields['reason']) ?? 'left'
  return { name, atMs: timeOf(fields['at'], receivedMs), reason }
}

/** The same for all spellings of a MAC address. Without spaces: commands name clients. */
function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > maxNameLength || !isStorable.test(value)) return undefined
  const bytes = mac.exec(value)
  return bytes ? bytes.slice(1).join(':').toLowerCase() : value
}

function timeOf(value: unknown, receivedMs: number): number {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return ms > 0 ? Math.min(ms, receivedMs) : receivedMs
}

function measurementOf(fields: Record<string, unknown>): Measurement | undefined {
  const throughputMbps = numberOf(fields['throughput_mbps'])
  const heard = heardOf(fields['heard'])
  return throughputMbps === null && heard === null ? undefined : { throughputMbps, heard }
}

/** The first of them, without those that are no access points with a signal. */
function heardOf(value: unknown): Record<string, number> | null {
  const given = recordOf(value)
  if (!given) return null
  const heard: [string, number][] = []
  for (const apId in given) {
    if (heard.length >= maxHeardAccessPoints) break
    const signal = numberOf(given[apId])
    if (signal !== null && isApId.test(apId)) heard.push([apId, signal])
  }
  return Object.fromEntries(heard)
}

/** Within the range of the column. */
const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Math.abs(value) < 1e6 ? value : null
