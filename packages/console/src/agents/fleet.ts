import type { FleetAgent } from '@manc/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useManc } from '../frame/session.tsx'
import { withChanges } from './fleet-changes.ts'

/** Counts by technology and state, each two seconds. */
export function useFleetSummary() {
  const manc = useManc()
  return useQuery({
    queryKey: ['fleet', 'summary'],
    queryFn: ({ signal }) => manc.fleet.summary({ signal }),
    refetchInterval: 2000,
  })
}

interface KnownFleet {
  agents: FleetAgent[]
  /** Where the changes go on that it does not have yet. */
  next: string
  /** How often in a row it could not be followed. */
  wholeReads: number
}

/** Every access point with its place and state: read once, and from then on what has changed. */
export function useFleet() {
  const manc = useManc()
  const client = useQueryClient()
  const queryKey = ['fleet', 'agents']
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<KnownFleet> => {
      const known = client.getQueryData<KnownFleet>(queryKey)
      // Asked for before the list: what changes while it is read is told the next time.
      const news = await manc.fleet.changes(known?.next, { signal })
      const agents = known && withChanges(known.agents, news)
      if (agents) return { agents, next: news.next, wholeReads: 0 }
      const all = []
      for await (const agent of manc.fleet.agents({ signal })) all.push(agent)
      return { agents: all, next: news.next, wholeReads: (known?.wholeReads ?? 0) + 1 }
    },
    select: agentsOf,
    // Told apart by us: what has not changed is the same object.
    structuralSharing: false,
    refetchInterval: ({ state: { data } }) => everyMs(data),
  })
}

/** A list that has to be read whole again and again is read less often the longer it is. */
const everyMs = (known?: KnownFleet) =>
  known && known.wholeReads > 1 ? Math.max(3000, known.agents.length * 1.5) : 3000

const agentsOf = ({ agents }: KnownFleet) => agents
