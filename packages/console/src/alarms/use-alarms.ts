import type { Alarm } from '@manc/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'

/** Queries that a change of an alarm makes out of date. */
export const alarmsKey = ['alarms']

/** Counts of open alarms by severity. */
export function useAlarmSummary() {
  const manc = useManc()
  return useQuery({
    queryKey: [...alarmsKey, 'summary'],
    queryFn: ({ signal }) => manc.alarms.summary({ signal }),
    refetchInterval: 5000,
  })
}

/** Newest first. One more than `limit` is read to know whether there are more. */
export function useAlarms(limit: number, state: Alarm['state']) {
  const manc = useManc()
  return useQuery({
    queryKey: [...alarmsKey, 'list', limit, state],
    queryFn: async ({ signal }): Promise<Alarm[]> => {
      const alarms = []
      const pageSize = Math.min(limit + 1, 1000)
      for await (const alarm of manc.alarms.list({ state, pageSize, signal }))
        if (alarms.push(alarm) > limit) break
      return alarms
    },
    placeholderData: keepPreviousData,
    refetchInterval: 5000,
  })
}
