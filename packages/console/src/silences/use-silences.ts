import type { Silence, SilenceState } from '@manc/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { alarmsKey } from '../alarms/use-alarms.ts'
import { useManc } from '../app/session.tsx'

/** Newest first, read again since they start and end. One more than `limit` is read to know whether there are more. */
export function useSilences(limit: number, state: SilenceState[]) {
  const manc = useManc()
  return useQuery({
    queryKey: [...alarmsKey, 'silences', limit, state],
    queryFn: async ({ signal }): Promise<Silence[]> => {
      const found = []
      const pageSize = Math.min(limit + 1, 1000)
      for await (const silence of manc.alarms.silences({ state, pageSize, signal }))
        if (found.push(silence) > limit) break
      return found
    },
    placeholderData: keepPreviousData,
    refetchInterval: 10_000 * Math.ceil(limit / 250),
  })
}
