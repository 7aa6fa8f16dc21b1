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

/** At 10,000 it is 15 s. */
export const fleetEveryMs = (count: number): number => Math.max(3000, count * 1.5)

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
    refetchInterval: ({ state }) => fleetEveryMs(state.data?.length ?? 0),
  })
}
