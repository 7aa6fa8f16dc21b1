import type { EmulatedChoice, FleetAgent } from '@manc/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import { applyChanges } from './fleet-changes.ts'

/** Counts by technology and state, every two seconds. */
export function useFleetSummary(emulated: EmulatedChoice = 'own') {
  const manc = useManc()
  return useQuery({
    queryKey: ['fleet', 'summary', emulated],
    queryFn: ({ signal }) => manc.fleet.summary({ emulated, signal }),
    refetchInterval: 2000,
  })
}

interface FleetState {
  agents: FleetAgent[]
  /** Cursor of the next changes. */
  next: string
  /** Number of full reads in a row. */
  fullReads: number
}

/** Every access point with its position and state: read once, then only changes. */
export function useFleet(emulated: EmulatedChoice = 'own') {
  const manc = useManc()
  const queryClient = useQueryClient()
  const queryKey = ['fleet', 'agents', emulated]
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<FleetState> => {
      const previous = queryClient.getQueryData<FleetState>(queryKey)
      // Requested before the list, so that changes during the read come with the next request.
      const changes = await manc.fleet.changes(previous?.next, { emulated, signal })
      const agents = previous && applyChanges(previous.agents, changes)
      if (agents) return { agents, next: changes.next, fullReads: 0 }
      const all = []
      for await (const agent of manc.fleet.agents({ emulated, signal })) all.push(agent)
      return { agents: all, next: changes.next, fullReads: (previous?.fullReads ?? 0) + 1 }
    },
    select: agentsOf,
    // Not needed: unchanged agents are the same objects.
    structuralSharing: false,
    refetchInterval: ({ state: { data } }) => intervalMs(data),
  })
}

/** Repeated full reads of a long list are less frequent. */
const intervalMs = (previous?: FleetState) =>
  previous && previous.fullReads > 1 ? Math.max(3000, previous.agents.length * 1.5) : 3000

const agentsOf = ({ agents }: FleetState) => agents
