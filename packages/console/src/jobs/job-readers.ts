import type { JobMessage, JobNews, JobState, Manc } from '@manc/sdk'
import { SocketClosed } from '@manc/sdk'
import { useSyncExternalStore } from 'react'
import { onSignOut } from '../app/session.tsx'
import { errorText } from '../ui/error-text.ts'

/** What has come of one job so far. */
export interface Reading {
  /** The items of its result, in their order. */
  rows: unknown[]
  /** What was said of the job itself: its states, and how far its parts are. */
  news: { at: number; news: JobNews }[]
  state: 'reading' | 'complete' | 'stopped'
  /** Why there is no more. */
  problem?: string
  /** How many were too many to keep, the oldest. */
  left: number
}

const maxReadings = 24
const maxLiveRows = 10_000
/** A mailbox has no end. */
const maxRows = 500_000
const reportIntervalMs = 200

/**
 * Jobs that this page reads, wherever one goes in it: a result is handed over once, and to one client at a time, so two
 * places that show it share one reading.
 */
const readings = new Map<string, Reading>()
const listeners = new Map<string, Set<() => void>>()
const stops = new Map<string, AbortController>()
const told = new Map<string, number>()

/** From the message after `after` on. Does nothing where it is being read already. */
export function startReading(manc: Manc, jobNumber: string, after = 0): void {
  const known = readings.get(jobNumber)
  if (known && known.state !== 'stopped') return
  if (known) readings.delete(jobNumber)
  const reading: Reading = { ...emptyReading(), ...(known && { rows: known.rows, news: known.news }) }
  readings.set(jobNumber, reading)
  for (const oldest of readings.keys()) {
    if (readings.size <= maxReadings) break
    forget(oldest)
  }
  const stop = new AbortController()
  stops.set(jobNumber, stop)
  void read(manc, jobNumber, after, stop.signal)
}

const isReading = (jobNumber: string): boolean => readings.get(jobNumber)?.state === 'reading'

/** What came stays; nothing more is taken. */
export function stopReading(jobNumber: string): void {
  stops.get(jobNumber)?.abort()
}

/** Undefined where this page has not read it. */
export function useReading(jobNumber: string | undefined): Reading | undefined {
  return useSyncExternalStore(
    (listener) => subscribe(jobNumber ?? '', listener),
    () => readings.get(jobNumber ?? ''),
  )
}

async function read(manc: Manc, jobNumber: string, after: number, signal: AbortSignal): Promise<void> {
  try {
    for await (const message of manc.jobs.read(jobNumber, { after, signal })) take(jobNumber, message)
    change(jobNumber, { state: 'complete' })
  } catch (error) {
    change(jobNumber, { state: 'stopped', ...(!signal.aborted && { problem: problemOf(error) }) })
  }
  tell(jobNumber)
}

function take(jobNumber: string, message: JobMessage): void {
  const reading = readings.get(jobNumber)
  if (!reading) return
  if (message.type === 'state') reading.news.push({ at: Date.now(), news: message.data as JobNews })
  else {
    // One by one: a message may have more items than a call has room for arguments.
    for (const row of message.data as unknown[]) reading.rows.push(row)
    for (const state of statesIn(message)) reading.news.push({ at: Date.now(), news: { state } })
  }
  const most = message.type === 'live' ? maxLiveRows : maxRows
  if (reading.rows.length > most) reading.left += reading.rows.splice(0, reading.rows.length - most).length
  tellSoon(jobNumber)
}

/** The last word on a command comes as its result. */
function statesIn({ type, final, data }: JobMessage): JobState[] {
  const [first] = data as { state?: JobState; command?: string }[]
  return type === 'result' && final && first?.command !== undefined && first.state ? [first.state] : []
}

function problemOf(error: unknown): string {
  if (error instanceof SocketClosed && error.code === 4001)
    return 'Another reader has taken over this job. Follow it again to receive new messages here.'
  return errorText(error)
}

/** Whoever looks sees a new object where something has changed. */
function change(jobNumber: string, changed: Partial<Reading>): void {
  const reading = readings.get(jobNumber)
  if (reading) readings.set(jobNumber, { ...reading, ...changed })
}

function tellSoon(jobNumber: string): void {
  if (told.has(jobNumber)) return
  told.set(
    jobNumber,
    window.setTimeout(() => tell(jobNumber), reportIntervalMs),
  )
}

function tell(jobNumber: string): void {
  window.clearTimeout(told.get(jobNumber))
  told.delete(jobNumber)
  change(jobNumber, {})
  for (const listener of listeners.get(jobNumber) ?? []) listener()
}

function subscribe(jobNumber: string, listener: () => void): () => void {
  const all = listeners.get(jobNumber) ?? new Set()
  listeners.set(jobNumber, all.add(listener))
  return () => {
    all.delete(listener)
    if (all.size === 0) listeners.delete(jobNumber)
  }
}

function forget(jobNumber: string): void {
  // What is under way is not the oldest to go.
  if (isReading(jobNumber)) return
  stops.delete(jobNumber)
  readings.delete(jobNumber)
}

/** Whoever signs in next has jobs of their own. */
function forgetAll(): void {
  for (const stop of stops.values()) stop.abort()
  for (const timer of told.values()) window.clearTimeout(timer)
  for (const kept of [stops, readings, told]) kept.clear()
}
onSignOut(forgetAll)

const emptyReading = (): Reading => ({ rows: [], news: [], state: 'reading', left: 0 })
