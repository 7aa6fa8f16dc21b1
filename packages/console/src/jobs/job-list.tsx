import type { Job } from '@manc/sdk'
import { Text } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { formatAge } from '../format/time.ts'
import { useNow } from '../ui/states.tsx'
import { kindLabels } from './job-texts.ts'
import { listSearch } from './jobs-search.ts'
import { StateLabel } from './state-icon.tsx'

/** Jobs, newest first, each with a link to its result. */
export function JobList({ jobs, openNumber }: { jobs: readonly Job[]; openNumber: string }) {
  const now = useNow()
  const search = listSearch(useSearch({ from: '/inside/jobs' }))
  return (
    <div role="list" aria-label="Jobs">
      {jobs.map((job) => (
        <div key={job.job_number} role="listitem">
          <Link
            to="/jobs"
            search={search}
            hash={job.job_number}
            className="job row"
            data-open={job.job_number === openNumber || undefined}
          >
            <div className="job-state">
              <StateLabel state={job.state} isCancelled={job.cancelled} />
            </div>
            <div className="job-what" style={{ minWidth: 0 }}>
              <Text size="sm" truncate title={job.title}>
                {job.title}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {kindLabels[job.kind]}
                {job.detail && ` · ${job.detail}`}
              </Text>
            </div>
            <Text size="sm" c="dimmed" className="job-age figures">
              {formatAge(now - Date.parse(job.created_at))} ago
            </Text>
            <Text size="sm" c="dimmed" className="job-took figures">
              {job.ended_at
                ? `took ${formatRunTime(job)}`
                : `${formatAge(now - Date.parse(job.created_at))} elapsed`}
            </Text>
          </Link>
        </div>
      ))}
    </div>
  )
}

/** Run time, in tenths of a second below 10 s. */
export function formatRunTime({ created_at: createdAt, ended_at: endedAt }: Job): string {
  const ms = Date.parse(endedAt ?? createdAt) - Date.parse(createdAt)
  if (ms < 100) return `${ms} ms`
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : formatAge(ms)
}
