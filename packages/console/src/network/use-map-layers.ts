import type { MapLayers } from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'

/** Streets and buildings for maps. They change only when the controller is restarted. */
export function useMapLayers(): MapLayers | undefined {
  const manc = useManc()
  const { data } = useQuery({
    queryKey: ['map-layers'],
    queryFn: ({ signal }) => manc.fleet.mapLayers({ signal }),
    staleTime: Infinity,
    gcTime: Infinity,
  })
  return data
}
