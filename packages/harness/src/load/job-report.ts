import type { AcceptedJob, JobCallers } from './job-callers.ts'

/** Summary of all accepted jobs and posted messages. `healedAt`: when each fault was over, by its name. */
export function summarize(callers: JobCallers, healedAt: Record<string, number>) {
  const { jobs, mailboxes } = callers
  const ended = jobs.filter(({ endedAt }) => endedAt !== undefined)
  const failed = ended.filter(({ failure }) => failure !== undefined)
  const seconds = ended.map((job) => secondsOf(job)).toSorted((a, b) => a - b)
  const readers = [...jobs, ...mailboxes].map(({ reader }) => reader)
  const received = mailboxes.flatMap((mailbox) => [...new Set(mailbox.received)])
  return {
    requested: callers.requested,
    unanswered: callers.unanswered,
    answered: jobs.length,
    ended_full: ended.length - failed.length,
    ended_failed: failed.length,
    reasons: countOf(failed.map(({ failure }) => failure ?? '')),
    fewest_chunks: Math.min(...ended.map(({ reader }) => reader.lastSeq)),
    stuck: jobs.length - ended.length,
    some_stuck: jobs
      .filter(({ endedAt }) => endedAt === undefined)
      .slice(0, 5)
      .map(({ jobNumber }) => jobNumber),
    wrong: jobs.filter(({ isWrong }) => isWrong).length,
    duplicated: sum(readers.map(({ duplicated }) => duplicated)),
    gaps: sum(readers.map(({ gaps }) => gaps)),
    messages_posted: sum(mailboxes.map(({ posted }) => posted)),
    messages_delivered: received.length,
    messages_lost: sum(mailboxes.map((mailbox) => lostOf(mailbox))),
    messages_duplicated: sum(
      mailboxes.map((mailbox) => mailbox.received.length - new Set(mailbox.received).size),
    ),
    messages_out_of_order: sum(
      mailboxes.map((mailbox) => mailbox.received.filter((n, at) => n !== at + 1).length),
    ),
    recovery_of_each_s: Object.fromEntries(
      Object.entries(healedAt).map(([fault, at]) => [fault, recoveryOf(jobs, at)]),
    ),
    answer_to_end_s: { median: seconds[Math.floor(seconds.length / 2)], max: seconds.at(-1) },
    errors: callers.errors,
  }
}

function lostOf({ posted, received }: { posted: number; received: number[] }): number {
  const found = new Set(received)
  return Array.from({ length: posted }, (_, n) => n + 1).filter((n) => !found.has(n)).length
}

/** Seconds until all jobs that were accepted before the fault was over had ended. */
function recoveryOf(jobs: AcceptedJob[], healedAt: number): number {
  const late = jobs
    .filter(({ answeredAt }) => answeredAt <= healedAt)
    .map(({ endedAt = Infinity }) => endedAt)
  return tenths(Math.max(0, Math.max(...late) - healedAt))
}

const secondsOf = ({ answeredAt, endedAt = Infinity }: AcceptedJob) => tenths(endedAt - answeredAt)
const tenths = (ms: number) => Math.round(ms / 100) / 10
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

function countOf(texts: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1
  return counts
}
