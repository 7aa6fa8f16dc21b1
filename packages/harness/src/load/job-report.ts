import type { JobCallers, Promised } from './job-callers.ts'

/** What has become of everything that was promised. `healedAt`: when each trouble was over, by its name. */
export function reportOn(callers: JobCallers, healedAt: Record<string, number>) {
  const { jobs, mailboxes } = callers
  const ended = jobs.filter(({ endedAt }) => endedAt !== undefined)
  const failed = ended.filter(({ failure }) => failure !== undefined)
  const seconds = ended.map((job) => secondsOf(job)).toSorted((a, b) => a - b)
  const readers = [...jobs, ...mailboxes].map(({ reader }) => reader)
  const came = mailboxes.flatMap((mailbox) => [...new Set(mailbox.came)])
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
    letters_posted: sum(mailboxes.map(({ posted }) => posted)),
    letters_delivered: came.length,
    letters_lost: sum(mailboxes.map((mailbox) => lostOf(mailbox))),
    letters_duplicated: sum(mailboxes.map((mailbox) => mailbox.came.length - new Set(mailbox.came).size)),
    letters_out_of_order: sum(
      mailboxes.map((mailbox) => mailbox.came.filter((n, at) => n !== at + 1).length),
    ),
    recovery_of_each_s: Object.fromEntries(
      Object.entries(healedAt).map(([trouble, at]) => [trouble, recoveryOf(jobs, at)]),
    ),
    answer_to_end_s: { median: seconds[Math.floor(seconds.length / 2)], max: seconds.at(-1) },
    troubles: callers.troubles,
  }
}

function lostOf({ posted, came }: { posted: number; came: number[] }): number {
  const there = new Set(came)
  return Array.from({ length: posted }, (_, n) => n + 1).filter((n) => !there.has(n)).length
}

/** Until the last job that had been answered by then had ended, whatever happened in between. */
function recoveryOf(jobs: Promised[], healedAt: number): number {
  const late = jobs
    .filter(({ answeredAt }) => answeredAt <= healedAt)
    .map(({ endedAt = Infinity }) => endedAt)
  return tenths(Math.max(0, Math.max(...late) - healedAt))
}

const secondsOf = ({ answeredAt, endedAt = Infinity }: Promised) => tenths(endedAt - answeredAt)
const tenths = (ms: number) => Math.round(ms / 100) / 10
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

function countOf(words: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}
