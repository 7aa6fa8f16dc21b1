import type { FeatureCollection } from 'geojson'
import type { GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import { feature } from 'topojson-client'
import countriesUrl from 'world-atlas/countries-50m.json?url'

type Topology = Parameters<typeof feature>[0]
let loading: Promise<{ countries: FeatureCollection; places: FeatureCollection }> | undefined

/** Land, borders and names, fetched once from where the console comes from. */
export async function loadBase(map: MapLibre): Promise<void> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  const { countries, places } = await loading
  // The map may be gone by now.
  void map.getSource<GeoJSONSource>('countries')?.setData(countries)
  void map.getSource<GeoJSONSource>('places')?.setData(places)
}

async function load() {
  const [topology, rows] = await Promise.all([
    get<Topology>(countriesUrl),
    get<[name: string, longitude: number, latitude: number, thousands: number][]>('/map/places.json'),
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

async function get<T>(path: string): Promise<T> {
  const answer = await fetch(path)
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return (await answer.json()) as T
}
