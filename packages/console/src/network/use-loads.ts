import type { EmulatedChoice } from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useManc } from '../app/session.tsx'

/** The load of each access point by id, in percent. */
export function useLoads(
  emulated: EmulatedChoice,
  isEnabled: boolean,
): ReadonlyMap<string, number> | undefined {
  const manc = useManc()
  const { data } = useQuery({
    queryKey: ['fleet', 'loads', emulated],
    queryFn: ({ signal }) => manc.fleet.figures({ emulated, loads: true, signal }),
    enabled: isEnabled,
    refetchInterval: 10_000,
  })
  return useMemo(() => data?.loads && new Map(Object.entries(data.loads)), [data])
}
