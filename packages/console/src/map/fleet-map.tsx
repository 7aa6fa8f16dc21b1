import 'maplibre-gl/dist/maplibre-gl.css'
import type { FleetAgent } from '@manc/sdk'
import { useComputedColorScheme } from '@mantine/core'
import type { FeatureCollection, Point } from 'geojson'
import {
  type GeoJSONSource,
  LngLatBounds,
  Map as MapLibre,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { useEffect, useRef } from 'react'
import { colourOf, states, technologies } from '../frame/theme.ts'
import { loadBase } from './base.ts'
import { glyphOf } from './glyphs.ts'
import { gridFor } from './grid.ts'
import { baseStyle, empty, type Scheme, toneOf } from './style.ts'

setWorkerUrl(workerUrl)

export interface FleetMapProps {
  agents: readonly FleetAgent[]
  onOpen(apId: string): void
  /** Told what is in view: west, south, east, north. */
  onMove?(bounds: [number, number, number, number]): void
}

/** From here on the ground has no features: the grid takes over. */
const gridFromZoom = 11

export default function FleetMap({ agents, onOpen, onMove }: FleetMapProps) {
  const scheme = useComputedColorScheme('light')
  const place = useRef<HTMLDivElement>(null)
  const map = useRef<MapLibre>(undefined)
  const latest = useRef({ agents, onOpen, onMove })
  latest.current = { agents, onOpen, onMove }

  useEffect(() => {
    if (!place.current) return
    const own = new MapLibre({
      container: place.current,
      style: baseStyle(scheme),
      bounds: map.current?.getBounds() ?? boundsOf(latest.current.agents) ?? [-12, 35, 30, 60],
      fitBoundsOptions: { padding: 60, maxZoom: 17 },
      attributionControl: { compact: true },
      dragRotate: false,
      pitchWithRotate: false,
      maxPitch: 0,
    })
    map.current = own
    own.touchZoomRotate.disableRotation()
    own.addControl(new NavigationControl({ showCompass: false }), 'top-right')
    own.addControl(new ScaleControl({}), 'bottom-left')
    own.on('load', () => {
      addFleet(own, scheme)
      void loadBase(own)
      showAgents(own, latest.current.agents)
    })
    own.on('moveend', () => {
      const bounds = own.getBounds()
      const box = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()] as const
      const grid = own.getZoom() >= gridFromZoom ? gridFor(...box).grid : empty
      void own.getSource<GeoJSONSource>('grid')?.setData(grid)
      latest.current.onMove?.([...box])
    })
    own.on('click', 'agents', ({ features }) => {
      const [feature] = features ?? []
      if (feature) latest.current.onOpen(String(feature.properties['ap_id']))
    })
    own.on('click', 'clusters', ({ features }) => void zoomInto(own, features?.[0]))
    for (const layer of ['agents', 'clusters']) {
      own.on('mouseenter', layer, () => (own.getCanvas().style.cursor = 'pointer'))
      own.on('mouseleave', layer, () => (own.getCanvas().style.cursor = ''))
    }
    return () => own.remove()
  }, [scheme])

  useEffect(() => {
    if (map.current?.getSource('agents')) showAgents(map.current, agents)
  }, [agents])

  return (
    <div
      ref={place}
      style={{ position: 'absolute', inset: 0 }}
      role="application"
      aria-label="Map of the access points"
    />
  )
}

function addFleet(map: MapLibre, scheme: Scheme): void {
  const tone = toneOf(scheme)
  for (const technology of technologies)
    for (const state of states)
      map.addImage(
        `${technology} ${state}`,
        glyphOf(technology, state, colourOf(technology, scheme), tone.land),
        {
          pixelRatio: 2,
        },
      )
  map.addSource('agents', {
    type: 'geojson',
    data: empty,
    cluster: true,
    clusterRadius: 44,
    clusterMaxZoom: 16,
    clusterProperties: { troubled: ['+', ['case', ['==', ['get', 'state'], 'online'], 0, 1]] },
  })
  map.addLayer({
    id: 'clusters',
    type: 'circle',
    source: 'agents',
    filter: ['has', 'point_count'],
    paint: {
      'circle-color': tone.ink,
      'circle-opacity': 0.86,
      'circle-radius': ['interpolate', ['linear'], ['log10', ['get', 'point_count']], 0.3, 13, 4, 30],
      'circle-stroke-width': ['case', ['>', ['get', 'troubled'], 0], 3, 0],
      'circle-stroke-color': scheme === 'dark' ? '#ff6b6b' : '#d6336c',
    },
  })
  map.addLayer({
    id: 'counts',
    type: 'symbol',
    source: 'agents',
    filter: ['has', 'point_count'],
    layout: {
      'text-field': ['get', 'point_count_abbreviated'],
      'text-font': ['sans-serif'],
      'text-size': 12,
      'text-allow-overlap': true,
    },
    paint: { 'text-color': tone.land },
  })
  map.addLayer({
    id: 'agents',
    type: 'symbol',
    source: 'agents',
    filter: ['!', ['has', 'point_count']],
    layout: {
      'icon-image': ['concat', ['get', 'technology'], ' ', ['get', 'state']],
      'icon-allow-overlap': true,
      'text-field': ['step', ['zoom'], '', 14, ['get', 'label']],
      'text-font': ['sans-serif'],
      'text-size': 11,
      'text-offset': [0, 1.2],
      'text-anchor': 'top',
      'text-optional': true,
    },
    paint: { 'text-color': tone.ink, 'text-halo-color': tone.land, 'text-halo-width': 1.2 },
  })
}

function showAgents(map: MapLibre, agents: readonly FleetAgent[]): void {
  const data: FeatureCollection<Point> = {
    type: 'FeatureCollection',
    features: agents.flatMap(({ ap_id, name, technology, state, position }) =>
      position
        ? [
            {
              type: 'Feature' as const,
              properties: { ap_id, label: name ?? ap_id, technology, state },
              geometry: { type: 'Point' as const, coordinates: [position.longitude, position.latitude] },
            },
          ]
        : [],
    ),
  }
  void map.getSource<GeoJSONSource>('agents')?.setData(data)
}

async function zoomInto(
  map: MapLibre,
  cluster: { properties: Record<string, unknown>; geometry: unknown } | undefined,
) {
  const source = map.getSource<GeoJSONSource>('agents')
  if (!cluster || !source) return
  const zoom = await source.getClusterExpansionZoom(Number(cluster.properties['cluster_id']))
  const [longitude = 0, latitude = 0] = (cluster.geometry as Point).coordinates
  map.easeTo({ center: [longitude, latitude], zoom: zoom + 0.5 })
}

/** Where they are; undefined where nobody is anywhere. */
export function boundsOf(agents: readonly FleetAgent[]): LngLatBounds | undefined {
  const bounds = new LngLatBounds()
  for (const { position } of agents) if (position) bounds.extend([position.longitude, position.latitude])
  return bounds.isEmpty() ? undefined : bounds
}
