import type { FleetAgent } from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useManc } from '../frame/session.tsx'

/** Counts by technology and state, each two seconds. */
export function useFleetSummary() {
  const manc = useManc()
  return useQuery({
    queryKey: ['fleet', 'summary'],
    queryFn: ({ signal }) => manc.fleet.summary({ signal }),
    refetchInterval: 2000,
  })
}

/** Every access point with its place and state: asked less often the more there are. */
export function useFleet() {
  const manc = useManc()
  return useQuery({
    queryKey: ['fleet', 'agents'],
    queryFn: async ({ signal }): Promise<FleetAgent[]> => {
      const agents = []
      for await (const agent of manc.fleet.agents({ signal })) agents.push(agent)
      return agents
    },
    refetchInterval: ({ state }) => Math.max(3000, (state.data?.length ?? 0) * 1.5),
  })
}
