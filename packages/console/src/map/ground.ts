import 'maplibre-gl/dist/maplibre-gl.css'
import './ground.css'
import {
  type GeoJSONSource,
  type LngLatBoundsLike,
  Map as MapLibre,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import type { Area } from '../agents/area.ts'
import { loadBase } from './base.ts'
import { gridFor } from './grid.ts'
import { baseStyle, empty, type Scheme } from './style.ts'

setWorkerUrl(workerUrl)

/** From here on the ground has no features: the grid takes over. */
const gridFromZoom = 11
export const europe: LngLatBoundsLike = [-12, 35, 30, 60]

export function boundsInView(map: MapLibre): Area {
  const bounds = map.getBounds()
  return [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]
}

/** A map with the ground on it. Throws where the browser cannot draw one. */
export function makeGround(container: HTMLElement, scheme: Scheme, bounds: LngLatBoundsLike): MapLibre {
  const map = new MapLibre({
    container,
    style: baseStyle(scheme),
    bounds,
    fitBoundsOptions: { padding: 40, maxZoom: 16 },
    attributionControl: { compact: true },
    dragRotate: false,
    pitchWithRotate: false,
    maxPitch: 0,
    doubleClickZoom: false,
  })
  map.touchZoomRotate.disableRotation()
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new ScaleControl({}), 'bottom-left')
  map.on('load', () => {
    void loadBase(map)
    drawGrid(map)
  })
  map.on('moveend', () => drawGrid(map))
  return map
}

function drawGrid(map: MapLibre): void {
  const grid = map.getZoom() >= gridFromZoom ? gridFor(...boundsInView(map)).grid : empty
  void map.getSource<GeoJSONSource>('grid')?.setData(grid)
}
