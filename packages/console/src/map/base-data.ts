import type { FeatureCollection } from 'geojson'
import type { GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import { feature } from 'topojson-client'
import countriesUrl from 'world-atlas/countries-50m.json?url'

type Topology = Parameters<typeof feature>[0]
let loading: Promise<{ countries: FeatureCollection; places: FeatureCollection }> | undefined

/** Land, borders and place names, fetched once from the controller. */
export async function loadBase(map: MapLibre): Promise<void> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  const { countries, places } = await loading
  // The map may have been removed meanwhile.
  void map.getSource<GeoJSONSource>('countries')?.setData(countries)
  void map.getSource<GeoJSONSource>('places')?.setData(places)
}

async function load() {
  const [topology, rows] = await Promise.all([
    fetchJson<Topology>(countriesUrl),
    fetchJson<[name: string, longitude: number, latitude: number, thousands: number][]>('/map/places.json'),
  ])
  const countries = feature(topology, topology.objects['countries'] as never) as unknown as FeatureCollection
  const places: FeatureCollection = {
    type: 'FeatureCollection',
    features: rows.map(([name, longitude, latitude, thousands]) => ({
      type: 'Feature',
      properties: { name, thousands },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    })),
  }
  return { countries, places }
}

async function fetchJson<T>(path: string): Promise<T> {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return (await response.json()) as T
}
