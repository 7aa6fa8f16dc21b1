import type { FleetAgent } from '@manc/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import { applyChanges } from './fleet-changes.ts'

/** Counts by technology and state, each two seconds. */
export function useFleetSummary() {
  const manc = useManc()
  return useQuery({
    queryKey: ['fleet', 'summary'],
    queryFn: ({ signal }) => manc.fleet.summary({ signal }),
    refetchInterval: 2000,
  })
}

interface FleetState {
  agents: FleetAgent[]
  /** Where the changes go on that it does not have yet. */
  next: string
  /** How often in a row it could not be followed. */
  fullReads: number
}

/** Every access point with its place and state: read once, and from then on what has changed. */
export function useFleet() {
  const manc = useManc()
  const client = useQueryClient()
  const queryKey = ['fleet', 'agents']
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<FleetState> => {
      const known = client.getQueryData<FleetState>(queryKey)
      // Asked for before the list: what changes while it is read is told the next time.
      const news = await manc.fleet.changes(known?.next, { signal })
      const agents = known && applyChanges(known.agents, news)
      if (agents) return { agents, next: news.next, fullReads: 0 }
      const all = []
      for await (const agent of manc.fleet.agents({ signal })) all.push(agent)
      return { agents: all, next: news.next, fullReads: (known?.fullReads ?? 0) + 1 }
    },
    select: agentsOf,
    // Told apart by us: what has not changed is the same object.
    structuralSharing: false,
    refetchInterval: ({ state: { data } }) => intervalMs(data),
  })
}

/** A list that has to be read whole again and again is read less often the longer it is. */
const intervalMs = (known?: FleetState) =>
  known && known.fullReads > 1 ? Math.max(3000, known.agents.length * 1.5) : 3000

const agentsOf = ({ agents }: FleetState) => agents
