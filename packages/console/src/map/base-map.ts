import 'maplibre-gl/dist/maplibre-gl.css'
import './base-map.css'
import {
  type GeoJSONSource,
  type LngLatBoundsLike,
  Map as MapLibre,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import type { Area } from '../fleet/area.ts'
import { loadBase } from './base-data.ts'
import { gridFor } from './grid.ts'
import { baseStyle, empty, paletteOf, type Scheme } from './map-style.ts'

setWorkerUrl(workerUrl)

/** From here on the ground has no features: the grid takes over. */
const gridFromZoom = 11
const retryMs = 10_000
export const europe: LngLatBoundsLike = [-12, 35, 30, 60]

export function boundsInView(map: MapLibre): Area {
  const bounds = map.getBounds()
  return [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]
}

/** What to show, with room around it; or exactly what was shown before. */
export interface Look {
  wanted: LngLatBoundsLike
  before: LngLatBoundsLike | undefined
}

/** A map with the ground on it. Throws where the browser cannot draw one. */
export function createBaseMap(container: HTMLElement, scheme: Scheme, { wanted, before }: Look): MapLibre {
  const map = new MapLibre({
    container,
    style: baseStyle(scheme),
    bounds: before ?? wanted,
    fitBoundsOptions: before ? {} : { padding: 40, maxZoom: 16 },
    attributionControl: { compact: true },
    dragRotate: false,
    pitchWithRotate: false,
    maxPitch: 0,
    doubleClickZoom: false,
    // Names that come and go softly would have all of it drawn again and again.
    fadeDuration: 0,
  })
  // The sea is behind the map: one layer less to draw where there is no graphics card.
  container.style.backgroundColor = paletteOf(scheme).sea
  map.touchZoomRotate.disableRotation()
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new ScaleControl({}), 'bottom-left')
  map.on('load', () => {
    drawBase(map)
    drawGrid(map)
  })
  map.on('moveend', () => drawGrid(map))
  return map
}

/** Access points are drawn without it: where it does not come, it is asked for again after a while. */
function drawBase(map: MapLibre): void {
  loadBase(map).catch(() => {
    const timer = setTimeout(() => drawBase(map), retryMs)
    map.once('remove', () => clearTimeout(timer))
  })
}

function drawGrid(map: MapLibre): void {
  const grid = map.getZoom() >= gridFromZoom ? gridFor(...boundsInView(map)).grid : empty
  void map.getSource<GeoJSONSource>('grid')?.setData(grid)
}
