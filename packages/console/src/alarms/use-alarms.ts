import type { Alarm } from '@manc/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import { periodOf, type TimeRange } from '../range/time-range.ts'
import { type AlarmsFilter, alarmsQuery } from './alarms-search.ts'

/** Queries that a change of an alarm makes out of date. */
export const alarmsKey = ['alarms']
export const rulesKey = ['alarm-rules']

/** Counts of open alarms by severity. */
export function useAlarmSummary() {
  const manc = useManc()
  return useQuery({
    queryKey: [...alarmsKey, 'summary'],
    queryFn: ({ signal }) => manc.alarms.summary({ signal }),
    refetchInterval: 5000,
  })
}

/** Newest first. One more than `limit` is read to know whether there are more. Long lists are read less often. */
export function useAlarms(
  limit: number,
  filter: AlarmsFilter & { apId?: string; range?: TimeRange | undefined },
) {
  const manc = useManc()
  return useQuery({
    queryKey: [...alarmsKey, 'list', limit, filter],
    queryFn: async ({ signal }): Promise<Alarm[]> => {
      const alarms = []
      const pageSize = Math.min(limit + 1, 1000)
      const { apId, range } = filter
      const period = range && periodOf(range, Date.now())
      const query = {
        ...alarmsQuery(filter),
        ...(period && { from: new Date(period.fromMs), to: new Date(period.toMs) }),
        ...(apId !== undefined && { ap_id: apId, emulated: 'all' as const }),
      }
      for await (const alarm of manc.alarms.list({ ...query, pageSize, signal }))
        if (alarms.push(alarm) > limit) break
      return alarms
    },
    placeholderData: keepPreviousData,
    refetchInterval: 5000 * Math.ceil(limit / 250),
  })
}

/** Read again while it is open. */
export function useAlarm(id: string) {
  const manc = useManc()
  return useQuery({
    queryKey: [...alarmsKey, 'one', id],
    queryFn: ({ signal }) => manc.alarms.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'cleared' ? false : 5000),
  })
}

export function useAlarmRules() {
  const manc = useManc()
  return useQuery({
    queryKey: rulesKey,
    queryFn: ({ signal }) => manc.alarms.rules({ signal }),
    staleTime: 30_000,
  })
}
