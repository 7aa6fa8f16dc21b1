import type { JobMessage, JobNews, JobState, Manc } from '@manc/sdk'
import { SocketClosed } from '@manc/sdk'
import { useSyncExternalStore } from 'react'
import { onSignOut } from '../app/session.tsx'
import { errorText } from '../ui/error-text.ts'

/** The messages of one job received so far. */
export interface Reading {
  /** The items of its result, in order. */
  rows: unknown[]
  /** The states of the job and the progress of its parts. */
  updates: { atMs: number; update: JobNews }[]
  state: 'reading' | 'complete' | 'stopped'
  /** Why reading has stopped. */
  problem?: string
  /** Number of oldest rows that were dropped. */
  dropped: number
}

const maxReadings = 24
const maxLiveRows = 10_000
/** A mailbox is unlimited. */
const maxRows = 500_000
const notifyIntervalMs = 200

/**
 * Readings are kept outside of components: a result can be read once and by one reader at a time, so all components share
 * one reading.
 */
const readings = new Map<string, Reading>()
const listeners = new Map<string, Set<() => void>>()
const abortControllers = new Map<string, AbortController>()
const notifyTimers = new Map<string, number>()

/** Reads the messages after `after`. Does nothing if the job is being read already. */
export function startReading(manc: Manc, jobNumber: string, after = 0): void {
  const previous = readings.get(jobNumber)
  if (previous && previous.state !== 'stopped') return
  if (previous) readings.delete(jobNumber)
  const reading: Reading = {
    ...emptyReading(),
    ...(previous && { rows: previous.rows, updates: previous.updates }),
  }
  readings.set(jobNumber, reading)
  for (const oldest of readings.keys()) {
    if (readings.size <= maxReadings) break
    evict(oldest)
  }
  const stop = new AbortController()
  abortControllers.set(jobNumber, stop)
  void read(manc, jobNumber, after, stop.signal)
}

const isReading = (jobNumber: string): boolean => readings.get(jobNumber)?.state === 'reading'

/** Stops reading; received messages are kept. */
export function stopReading(jobNumber: string): void {
  abortControllers.get(jobNumber)?.abort()
}

/** Undefined if the job has not been read. */
export function useReading(jobNumber: string | undefined): Reading | undefined {
  return useSyncExternalStore(
    (listener) => subscribe(jobNumber ?? '', listener),
    () => readings.get(jobNumber ?? ''),
  )
}

async function read(manc: Manc, jobNumber: string, after: number, signal: AbortSignal): Promise<void> {
  try {
    for await (const message of manc.jobs.read(jobNumber, { after, signal })) append(jobNumber, message)
    update(jobNumber, { state: 'complete' })
  } catch (error) {
    update(jobNumber, { state: 'stopped', ...(!signal.aborted && { problem: stopReason(error) }) })
  }
  notify(jobNumber)
}

function append(jobNumber: string, message: JobMessage): void {
  const reading = readings.get(jobNumber)
  if (!reading) return
  if (message.type === 'state') reading.updates.push({ atMs: Date.now(), update: message.data as JobNews })
  else {
    // One by one: a message may have more items than the maximum number of arguments.
    for (const row of message.data as unknown[]) reading.rows.push(row)
    for (const state of statesIn(message)) reading.updates.push({ atMs: Date.now(), update: { state } })
  }
  const limit = message.type === 'live' ? maxLiveRows : maxRows
  if (reading.rows.length > limit)
    reading.dropped += reading.rows.splice(0, reading.rows.length - limit).length
  notifySoon(jobNumber)
}

/** The final state of a command is in its result. */
function statesIn({ type, final, data }: JobMessage): JobState[] {
  const [first] = data as { state?: JobState; command?: string }[]
  return type === 'result' && final && first?.command !== undefined && first.state ? [first.state] : []
}

function stopReason(error: unknown): string {
  if (error instanceof SocketClosed && error.code === 4001)
    return 'Another reader has taken over this job. Follow it again to receive new messages here.'
  return errorText(error)
}

/** Replaces the object, so that components render again. */
function update(jobNumber: string, changed: Partial<Reading>): void {
  const reading = readings.get(jobNumber)
  if (reading) readings.set(jobNumber, { ...reading, ...changed })
}

function notifySoon(jobNumber: string): void {
  if (notifyTimers.has(jobNumber)) return
  notifyTimers.set(
    jobNumber,
    window.setTimeout(() => notify(jobNumber), notifyIntervalMs),
  )
}

function notify(jobNumber: string): void {
  window.clearTimeout(notifyTimers.get(jobNumber))
  notifyTimers.delete(jobNumber)
  update(jobNumber, {})
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

function evict(jobNumber: string): void {
  // A reading in progress is not evicted.
  if (isReading(jobNumber)) return
  abortControllers.delete(jobNumber)
  readings.delete(jobNumber)
}

/** The next user must not see these jobs. */
function clearAll(): void {
  for (const stop of abortControllers.values()) stop.abort()
  for (const timer of notifyTimers.values()) window.clearTimeout(timer)
  for (const map of [abortControllers, readings, notifyTimers]) map.clear()
}
onSignOut(clearAll)

const emptyReading = (): Reading => ({ rows: [], updates: [], state: 'reading', dropped: 0 })
