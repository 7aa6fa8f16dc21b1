import type { Experiment, ExperimentCreate } from '@manc/sdk'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'

const key = ['experiments']
const maxPageSize = 1000

/** The newest ones, every three seconds. One more than `limit` is read to know whether there are more. */
export function useExperiments(limit: number) {
  const manc = useManc()
  return useQuery({
    queryKey: [...key, 'list', limit],
    queryFn: async ({ signal }): Promise<Experiment[]> => {
      const found: Experiment[] = []
      const pageSize = Math.min(limit + 1, maxPageSize)
      for await (const experiment of manc.experiments.list({ pageSize, signal }))
        if (found.push(experiment) > limit) break
      return found
    },
    refetchInterval: 3000,
    placeholderData: keepPreviousData,
  })
}

/** With its results, every second until it has ended. */
export function useExperiment(id: string) {
  const manc = useManc()
  return useQuery({
    queryKey: [...key, 'one', id],
    queryFn: ({ signal }) => manc.experiments.get(id, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.ended_at === null ? 1000 : false),
  })
}

/** Of a run that has finished: it does not change any more. */
export function useRun(id: string, run: number | undefined) {
  const manc = useManc()
  return useQuery({
    queryKey: [...key, 'run', id, run],
    queryFn: ({ signal }) => manc.experiments.getRun(id, run ?? 0, { signal }),
    enabled: run !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useStartExperiment(onStarted: (experiment: Experiment) => void) {
  const manc = useManc()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (given: ExperimentCreate) => manc.experiments.create(given),
    onSuccess: onStarted,
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
}

export function useExperimentActions(id: string) {
  const manc = useManc()
  const queries = useQueryClient()
  const onSettled = () => queries.invalidateQueries({ queryKey: key })
  return {
    cancel: useMutation({ mutationFn: () => manc.experiments.cancel(id), onSettled }),
    remove: useMutation({ mutationFn: () => manc.experiments.remove(id), onSettled }),
  }
}
