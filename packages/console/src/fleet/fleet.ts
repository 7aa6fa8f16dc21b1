import type { EmulatedChoice, FleetAgent, FleetCells, FleetCellsOptions } from '@manc/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'

/** Counts by technology and state, every two seconds. */
export function useFleetSummary(emulated: EmulatedChoice = 'own') {
  const manc = useManc()
  return useQuery({
    queryKey: ['fleet', 'summary', emulated],
    queryFn: ({ signal }) => manc.fleet.summary({ emulated, signal }),
    refetchInterval: 2000,
  })
}

/** Which access points a map shows. */
export type CellsQuery = Omit<FleetCellsOptions, 'signal' | 'timeoutMs'>

/** Access points for a map, every three seconds. The controller groups them by place if they are many. */
export function useFleetCells(query: CellsQuery, isEnabled = true): FleetCells | undefined {
  const manc = useManc()
  const { data } = useQuery({
    queryKey: ['fleet', 'cells', query],
    queryFn: ({ signal }) => manc.fleet.cells({ ...query, signal }),
    enabled: isEnabled,
    refetchInterval: 3000,
    placeholderData: keepPreviousData,
    // Areas that were left are forgotten soon.
    gcTime: 20_000,
  })
  return isEnabled ? data : undefined
}

/** Single access points by id, every three seconds. Unknown ones are left out. */
export function useAgents(ids: readonly string[]): ReadonlyMap<string, FleetAgent> {
  const manc = useManc()
  const wanted = [...new Set(ids)].toSorted()
  const { data } = useQuery({
    queryKey: ['fleet', 'agents', wanted],
    queryFn: async ({ signal }) => {
      const agents = await Array.fromAsync(manc.fleet.agents({ ids: wanted, emulated: 'all', signal }))
      return new Map(agents.map((agent) => [agent.ap_id, agent]))
    },
    enabled: wanted.length > 0,
    refetchInterval: 3000,
    placeholderData: keepPreviousData,
    gcTime: 20_000,
  })
  return data ?? none
}

const none: ReadonlyMap<string, FleetAgent> = new Map()
