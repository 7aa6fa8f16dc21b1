import type { Job, JobNews, JobResult, JobState } from '@manc/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import type { Reading } from './job-readers.ts'

/** The messages of a job that were read again, and how many of them were not kept. */
export interface Results extends Reading {
  lastSeq: number
  missing: number
  expiresAt: string | undefined
  /** Messages of the ended job were deleted after their retention time: no more will arrive. */
  isExpired: boolean
}

const maxRows = 500_000

export const noResults = (): Results => ({
  rows: [],
  updates: [],
  state: 'reading',
  dropped: 0,
  lastSeq: 0,
  missing: 0,
  expiresAt: undefined,
  isExpired: false,
})

/** The results of a job, which do not count as delivered by this. New ones are added as they arrive. */
export function useResults(job: Job | undefined) {
  const manc = useManc()
  const queries = useQueryClient()
  const number = job?.job_number ?? ''
  const key = ['job-results', number]
  return useQuery({
    queryKey: key,
    enabled: job !== undefined && job.kind !== 'agent_live',
    queryFn: async ({ signal }): Promise<Results> => {
      const before = queries.getQueryData<Results>(key) ?? noResults()
      const messages = await Array.fromAsync(manc.jobs.results(number, { after: before.lastSeq, signal }))
      if (messages.length === 0) return afterRead(before, job)
      return afterRead(messages.reduce(withMessage, { ...before, rows: [...before.rows] }), job)
    },
    // Comparing long results row by row would block the page.
    structuralSharing: false,
    refetchInterval: ({ state }) =>
      job?.ended_at && ((state.data?.lastSeq ?? 0) >= job.last_seq || state.data?.isExpired) ? false : 2000,
  })
}

/** `job` was read before the messages: those that it counts and that were not read do not exist any more. */
export function afterRead(results: Results, job: Pick<Job, 'ended_at' | 'last_seq'> | undefined): Results {
  const isExpired = job !== undefined && job.ended_at !== null && results.lastSeq < job.last_seq
  return isExpired === results.isExpired ? results : { ...results, isExpired }
}

/** Adds to the rows of `before`. */
export function withMessage(
  before: Results,
  { seq, type, data, detail, at, expires_at, final }: JobResult,
): Results {
  const results = {
    ...before,
    lastSeq: seq,
    expiresAt: expires_at,
    // Expired messages are not listed.
    missing: before.missing + (seq - before.lastSeq - 1) + (detail === null ? 0 : 1),
    state: final ? ('complete' as const) : before.state,
  }
  if (detail !== null) return results
  const atMs = Date.parse(at)
  if (type === 'state') return { ...results, updates: [...before.updates, { atMs, update: data as JobNews }] }
  const items = data as unknown[]
  const room = Math.max(0, maxRows - before.rows.length)
  for (const row of items.slice(0, room)) before.rows.push(row)
  const state = final ? stateOf(items) : undefined
  return {
    ...results,
    rows: before.rows,
    dropped: before.dropped + Math.max(0, items.length - room),
    ...(state && { updates: [...before.updates, { atMs, update: { state } }] }),
  }
}

/** The final state of a command is in its result. */
function stateOf([first]: unknown[]): JobState | undefined {
  const { command, state } = (first ?? {}) as { command?: string; state?: JobState }
  return command === undefined ? undefined : state
}
