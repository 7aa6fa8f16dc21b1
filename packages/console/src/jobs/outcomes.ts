import type { CommandOutcome, Job, JobState } from '@manc/sdk'
import { stateLabels } from './job-texts.ts'
import type { OutcomeSort } from './jobs-search.ts'

/** What became of a command at one access point. */
export interface Outcome {
  apId: string
  state: JobState
  reason: string
  atMs: number | undefined
  jobNumber: string
}

/** From the result of the job. */
export const outcomeOf = ({
  agent_id,
  state,
  detail,
  result,
  ended_at,
  job_number,
}: CommandOutcome): Outcome => ({
  apId: agent_id,
  state,
  reason: detail ?? reasonOf(result),
  atMs: msOf(ended_at),
  jobNumber: job_number,
})

/** From a part of a job that has not ended. */
export const outcomeOfPart = ({ agent_id, state, detail, ended_at, job_number }: Job): Outcome => ({
  apId: agent_id ?? '',
  state,
  reason: detail ?? '',
  atMs: msOf(ended_at),
  jobNumber: job_number,
})

// Results of version 1.1 have no time.
const msOf = (time: string | null | undefined) => (time ? Date.parse(time) : undefined)

/** What an agent reported, as text: `done: set_power, power_dbm: 41` */
export function reasonOf(result: unknown): string {
  if (result === null || result === undefined) return ''
  if (typeof result === 'string') return result
  if (typeof result !== 'object' || Array.isArray(result)) return JSON.stringify(result)
  return Object.entries(result)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}

/** How often the parts of a running job are read: all of them each time, so less often if there are many. */
export function partsIntervalMs(progress: Job['progress']): number {
  const parts = Object.values(progress ?? {}).reduce((sum, count) => sum + count, 0)
  return Math.min(60_000, Math.max(3000, 3 * parts))
}

interface Shown {
  outcome: JobState | undefined
  find: string
  sort: OutcomeSort
}

/** The outcomes that match, in order. */
export function shownOutcomes(outcomes: readonly Outcome[], { outcome, find, sort }: Shown): Outcome[] {
  const text = find.trim().toLowerCase()
  const direction = sort.startsWith('-') ? -1 : 1
  const compare = comparisons[sort.replace('-', '') as keyof typeof comparisons]
  return outcomes
    .filter(
      ({ apId, state, reason }) =>
        (outcome === undefined || state === outcome) &&
        (text === '' || `${apId} ${reason}`.toLowerCase().includes(text)),
    )
    .sort((a, b) => direction * compare(a, b) || comparisons.ap(a, b))
}

const collator = new Intl.Collator('en', { numeric: true })
const comparisons = {
  ap: (a: Outcome, b: Outcome) => collator.compare(a.apId, b.apId),
  outcome: (a: Outcome, b: Outcome) => collator.compare(stateLabels[a.state], stateLabels[b.state]),
  reason: (a: Outcome, b: Outcome) => collator.compare(a.reason, b.reason),
  time: (a: Outcome, b: Outcome) => (a.atMs ?? Infinity) - (b.atMs ?? Infinity) || 0,
}

/** Rows of a CSV file. */
export const outcomeRows = (outcomes: readonly Outcome[]) =>
  outcomes.map(({ apId, state, reason, atMs, jobNumber }) => ({
    access_point: apId,
    outcome: stateLabels[state],
    reason,
    time: atMs === undefined ? '' : new Date(atMs).toISOString(),
    job_number: jobNumber,
  }))
