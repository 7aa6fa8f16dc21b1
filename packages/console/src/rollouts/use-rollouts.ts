import type { Rollout, RolloutAgentState, RolloutSelection } from '@manc/sdk'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'

const key = ['rollouts']
const maxPageSize = 1000

/** The newest ones, every three seconds. One more than `limit` is read to know whether there are more. */
export function useRollouts(limit: number) {
  const manc = useManc()
  return useQuery({
    queryKey: [...key, 'list', limit],
    queryFn: ({ signal }) =>
      firstOf(manc.rollouts.list({ pageSize: Math.min(limit + 1, maxPageSize), signal }), limit + 1),
    refetchInterval: 3000,
    placeholderData: keepPreviousData,
  })
}

export function useRollout(id: string) {
  const manc = useManc()
  return useQuery({
    queryKey: [...key, 'one', id],
    queryFn: ({ signal }) => manc.rollouts.get(id, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isInProgress(data) ? 1000 : 10_000),
  })
}

const isInProgress = ({ state }: Rollout) => state === 'running' || state === 'undoing'

/** Read again with each step of the rollout. One more than `limit`, to know whether there are more. */
export function useRolloutAgents(rollout: Rollout, state: RolloutAgentState | undefined, limit: number) {
  const manc = useManc()
  const { id, progress } = rollout
  return useQuery({
    queryKey: [...key, 'agents', id, state, limit, progress],
    queryFn: ({ signal }) => {
      const pageSize = Math.min(limit + 1, maxPageSize)
      return firstOf(manc.rollouts.agents(id, { ...(state && { state }), pageSize, signal }), limit + 1)
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

async function firstOf<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const found: Item[] = []
  for await (const each of items) if (found.push(each) >= count) break
  return found
}

type RolloutAction = 'pause' | 'resume' | 'undo'

export function useRolloutAction(id: string) {
  const manc = useManc()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (action: RolloutAction) => manc.rollouts[action](id),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
}

export function usePreview() {
  const manc = useManc()
  return useMutation({
    mutationFn: async (selection: RolloutSelection) => ({
      selection,
      preview: await manc.rollouts.preview(selection),
    }),
  })
}
