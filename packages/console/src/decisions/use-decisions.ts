import type { Decision } from '@manc/sdk'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCurrentUser } from '../app/current-user.ts'
import { useManc } from '../app/session.tsx'
import { isLive, periodOf, type TimeRange } from '../range/time-range.ts'
import { type DecisionsSearch, decisionsQuery } from './decisions-search.ts'

const decisionsKey = ['decisions']
/** More are shown as this number and a plus sign. */
export const maxCounted = 99

/** As the controller expects it. A live range has no end. */
export function queryOf(search: DecisionsSearch, range: TimeRange | undefined) {
  if (!range) return decisionsQuery(search)
  const { fromMs, toMs } = periodOf(range, Date.now())
  return {
    ...decisionsQuery(search),
    from: new Date(fromMs),
    ...(!isLive(range) && { to: new Date(toMs) }),
  }
}

/** Newest first. One more than `limit` is read to know whether there are more. */
export function useDecisions(limit: number, search: DecisionsSearch, range: TimeRange | undefined) {
  const manc = useManc()
  return useQuery({
    queryKey: [...decisionsKey, 'list', limit, search, range],
    queryFn: async ({ signal }): Promise<Decision[]> => {
      const found: Decision[] = []
      const pageSize = Math.min(limit + 1, 1000)
      for await (const decision of manc.decisions.list({ ...queryOf(search, range), pageSize, signal }))
        if (found.push(decision) > limit) break
      return found
    },
    placeholderData: keepPreviousData,
    refetchInterval: 3000 * Math.ceil(limit / 100),
  })
}

/** How many proposals wait for a person. */
export function useWaitingProposals() {
  const manc = useManc()
  const me = useCurrentUser()
  return useQuery({
    queryKey: [...decisionsKey, 'waiting'],
    enabled: me.isOperator,
    queryFn: async ({ signal }): Promise<number> => {
      let count = 0
      for await (const _ of manc.decisions.list({ state: ['proposed'], pageSize: maxCounted + 1, signal }))
        if (++count > maxCounted) break
      return count
    },
    refetchInterval: 5000,
  })
}

/** Confirms or rejects a proposal. The list is read again, also after a refusal: its verdicts are new. */
export function useAnswer() {
  const manc = useManc()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, answer }: { id: string; answer: 'confirm' | 'reject' }) => manc.decisions[answer](id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: decisionsKey }),
  })
}
