import { type Job, NotFound } from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useManc } from '../frame/session.tsx'
import { useJobs } from '../jobs/use-jobs.ts'
import { keptRunning } from './kept.ts'

const jobsLookedAt = 200

/** Mine, the newest first. One that was begun here is among them however many jobs have come after it. */
export function useEmulations() {
  const manc = useManc()
  const jobs = useJobs(jobsLookedAt)
  const listed = new Set(jobs.data?.map(({ job_number: number }) => number))
  const beyond = keptRunning().filter((number) => !listed.has(number))
  const { data: others = [] } = useQuery({
    queryKey: ['jobs', 'beyond', beyond],
    enabled: jobs.data !== undefined && beyond.length > 0,
    refetchInterval: 2000,
    queryFn: async ({ signal }) => {
      const found = await Promise.all(beyond.map((number) => unlessGone(manc.jobs.get(number, { signal }))))
      return found.filter((job) => job !== undefined)
    },
  })
  const all = [...(jobs.data ?? []), ...others.filter(({ job_number: number }) => !listed.has(number))]
  return { jobs, emulations: all.filter(({ kind }) => kind === 'emulator_spinup') }
}

/** It may have been begun in this browser by somebody else. */
async function unlessGone(asked: Promise<Job>): Promise<Job | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof NotFound) return undefined
    throw error
  }
}
