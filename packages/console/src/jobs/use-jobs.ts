import type { Job, JobKind, JobState } from '@manc/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'

/** The jobs of the user, newest first, every two seconds. One more than `limit` is read to know whether there are more. */
export function useJobs(limit: number, { kind, state = [] }: { kind: JobKind[]; state?: JobState[] }) {
  const manc = useManc()
  return useQuery({
    queryKey: ['jobs', limit, kind, state],
    queryFn: async ({ signal }): Promise<Job[]> => {
      const jobs = []
      const pageSize = Math.min(limit + 1, 1000)
      for await (const job of manc.jobs.list({ kind, state, pageSize, signal }))
        if (jobs.push(job) > limit) break
      return jobs
    },
    placeholderData: keepPreviousData,
    refetchInterval: 2000,
  })
}

/** What was requested with an earlier job. An empty number reads nothing. */
export function useRequest(jobNumber: string) {
  const manc = useManc()
  return useQuery({
    queryKey: ['job', jobNumber, 'request'],
    enabled: jobNumber !== '',
    queryFn: async ({ signal }) =>
      (await manc.jobs.get(jobNumber, { include: 'request', signal })).request ?? {},
    staleTime: Infinity,
  })
}

/** One job, also if it is not among the newest. An empty number reads nothing. */
export function useJob(jobNumber: string) {
  const manc = useManc()
  return useQuery({
    queryKey: ['job', jobNumber],
    enabled: jobNumber !== '',
    queryFn: ({ signal }) => manc.jobs.get(jobNumber, { signal }),
    refetchInterval: ({ state }) => (state.data?.ended_at ? 10_000 : 2000),
  })
}
