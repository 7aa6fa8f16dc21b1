import type { Job, JobKind, JobState } from '@manc/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'

/** Mine, the newest first, each two seconds while somebody looks. One more than asked for tells that there are more. */
export function useJobs(most: number, { kind, state = [] }: { kind: JobKind[]; state?: JobState[] }) {
  const manc = useManc()
  return useQuery({
    queryKey: ['jobs', most, kind, state],
    queryFn: async ({ signal }): Promise<Job[]> => {
      const jobs = []
      const pageSize = Math.min(most + 1, 1000)
      for await (const job of manc.jobs.list({ kind, state, pageSize, signal }))
        if (jobs.push(job) > most) break
      return jobs
    },
    placeholderData: keepPreviousData,
    refetchInterval: 2000,
  })
}

/** One of them, also where it is not among the newest. */
export function useJob(jobNumber: string) {
  const manc = useManc()
  return useQuery({
    queryKey: ['job', jobNumber],
    queryFn: ({ signal }) => manc.jobs.get(jobNumber, { signal }),
    refetchInterval: ({ state }) => (state.data?.ended_at ? 10_000 : 2000),
  })
}
