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
import { baseStyle, emptyCollection, paletteOf, type Scheme } from './map-style.ts'

setWorkerUrl(workerUrl)

/** At higher zoom levels the base map has no features, and a grid is drawn instead. */
const gridFromZoom = 11
const retryDelayMs = 10_000
export const europe: LngLatBoundsLike = [-12, 35, 30, 60]

export function boundsInView(map: MapLibre): Area {
  const bounds = map.getBounds()
  return [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]
}

/** The bounds to show with a margin, or the previous view to restore exactly. */
export interface InitialView {
  bounds: LngLatBoundsLike
  previous: LngLatBoundsLike | undefined
}

/** Creates a map with land, borders and place names. Throws if the browser does not support WebGL. */
export function createBaseMap(
  container: HTMLElement,
  scheme: Scheme,
  { bounds, previous }: InitialView,
): MapLibre {
  const map = new MapLibre({
    container,
    style: baseStyle(scheme),
    bounds: previous ?? bounds,
    fitBoundsOptions: previous ? {} : { padding: 40, maxZoom: 16 },
    attributionControl: { compact: true },
    dragRotate: false,
    pitchWithRotate: false,
    maxPitch: 0,
    doubleClickZoom: false,
    // Fading labels would redraw the whole map repeatedly.
    fadeDuration: 0,
  })
  // The sea is the background of the page: one layer less to draw without a graphics card.
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

/** Access points are drawn without the base data; a failed request is repeated. */
function drawBase(map: MapLibre): void {
  loadBase(map).catch(() => {
    const timer = setTimeout(() => drawBase(map), retryDelayMs)
    map.once('remove', () => clearTimeout(timer))
  })
}

function drawGrid(map: MapLibre): void {
  const grid = map.getZoom() >= gridFromZoom ? gridFor(...boundsInView(map)).grid : emptyCollection
  void map.getSource<GeoJSONSource>('grid')?.setData(grid)
}
