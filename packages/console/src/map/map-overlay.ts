import type { MapLayers } from '@manc/sdk'
import type { FeatureCollection } from 'geojson'
import type { Map as MapLibre, SymbolLayerSpecification } from 'maplibre-gl'
import { paletteOf, type Scheme } from './map-style.ts'

/** Tiles are made for light pages. */
const tileOpacity: Record<Scheme, number> = { light: 1, dark: 0.5 }
const namesFromZoom = 15

/** Streets and buildings from tiles or a file, below the grid and the access points. */
export function addOverlay(map: MapLibre, { tiles, geojson, attribution }: MapLayers, scheme: Scheme): void {
  const credit = attribution === null ? {} : { attribution: textOnly(attribution) }
  if (tiles !== null && !map.getSource('tiles')) {
    map.addSource('tiles', { type: 'raster', tiles: [tiles], tileSize: 256, maxzoom: 19, ...credit })
    const paint = { 'raster-opacity': tileOpacity[scheme], 'raster-fade-duration': 0 }
    map.addLayer({ id: 'tiles', type: 'raster', source: 'tiles', paint }, 'grid')
  }
  if (geojson === null || map.getSource('overlay')) return
  const palette = paletteOf(scheme)
  map.addSource('overlay', { type: 'geojson', data: geojson as FeatureCollection, ...credit })
  map.addLayer(
    {
      id: 'overlay-areas',
      type: 'fill',
      source: 'overlay',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': palette.border, 'fill-opacity': 0.45, 'fill-outline-color': palette.name },
    },
    'grid',
  )
  map.addLayer(
    {
      id: 'overlay-lines',
      type: 'line',
      source: 'overlay',
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: { 'line-color': palette.name, 'line-opacity': 0.6, 'line-width': 1.5 },
    },
    'grid',
  )
  const name = {
    'text-field': ['to-string', ['coalesce', ['get', 'name'], '']],
    'text-font': ['sans-serif'],
    'text-size': 11,
    'text-padding': 6,
  } satisfies SymbolLayerSpecification['layout']
  const names = {
    type: 'symbol',
    source: 'overlay',
    minzoom: namesFromZoom,
    paint: { 'text-color': palette.name, 'text-halo-color': palette.halo, 'text-halo-width': 2 },
  } as const
  map.addLayer(
    {
      ...names,
      id: 'overlay-names',
      filter: ['!=', ['geometry-type'], 'LineString'],
      // Access points are often in the middle of their building.
      layout: { ...name, 'text-variable-anchor': ['center', 'bottom', 'top'], 'text-radial-offset': 3 },
    },
    'clusters',
  )
  map.addLayer(
    {
      ...names,
      id: 'overlay-line-names',
      filter: ['==', ['geometry-type'], 'LineString'],
      layout: { ...name, 'symbol-placement': 'line' },
    },
    'clusters',
  )
}

/** MapLibre writes the attribution as HTML. */
const textOnly = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
