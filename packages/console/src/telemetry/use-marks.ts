import type { Alarm, NetworkEvent } from '@manc/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useManc } from '../app/session.tsx'
import { intervalOf, markOf } from './marks.ts'

/** Of events, and of alarms: a chart with more of them cannot be read. */
export const maxMarks = 200

/** Of a fixed period that is not over. */
const periodRefreshMs = 60_000

/** The last seconds, or a fixed period. */
type Period = { windowS: number } | { fromMs: number; toMs: number }

/** Events and alarms of an access point in the period that its charts show. Those of the last seconds are read again. */
export function useMarks(apId: string, period: Period) {
  const manc = useManc()
  const { data, error } = useQuery({
    queryKey: ['marks', apId, period],
    queryFn: async ({ signal }) => {
      const filter = {
        ap_id: apId,
        emulated: 'all',
        ...limitsOf(period),
        pageSize: maxMarks + 1,
        signal,
      } as const
      const [events, alarms] = await Promise.all([
        firstOf<NetworkEvent>(manc.events.list(filter)),
        firstOf<Alarm>(manc.alarms.list({ ...filter, state: 'all' })),
      ])
      return { events, alarms }
    },
    placeholderData: keepPreviousData,
    refetchInterval: () => ('windowS' in period ? 5000 : period.toMs > Date.now() && periodRefreshMs),
  })
  const found = useMemo(
    () => ({
      marks: data?.events.slice(0, maxMarks).map(markOf) ?? [],
      intervals: data?.alarms.slice(0, maxMarks).map(intervalOf) ?? [],
    }),
    [data],
  )
  return { ...found, isRead: data !== undefined, hasMore: (data?.events.length ?? 0) > maxMarks, error }
}

function limitsOf(period: Period): { from: Date; to?: Date } {
  if ('windowS' in period) return { from: new Date(Date.now() - period.windowS * 1000) }
  return { from: new Date(period.fromMs), to: new Date(period.toMs) }
}

/** One more than are shown, to know whether there are more. */
async function firstOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) if (found.push(item) > maxMarks) break
  return found
}
