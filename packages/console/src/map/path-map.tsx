import type { FleetAgent, Technology } from '@manc/sdk'
import { Center, Text, useComputedColorScheme } from '@mantine/core'
import type { Feature, FeatureCollection } from 'geojson'
import type { GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import { areaOf } from '../fleet/area.ts'
import { createBaseMap, europe } from './base-map.ts'
import { arrowImage } from './glyphs.ts'
import { emptyCollection, paletteOf, type Scheme } from './map-style.ts'
import { addTechnologyImages } from './technology-images.ts'

type Position = NonNullable<FleetAgent['position']>

/** An access point on the path. */
export interface PathPoint {
  apId: string
  label: string
  technology: Technology
  position: Position
  isCurrent: boolean
}

/** Moves from one access point to another. */
export interface PathLine {
  from: Position
  to: Position
  count: number
}

interface PathMapProps {
  /** The accessible name. */
  label: string
  points: readonly PathPoint[]
  lines: readonly PathLine[]
}

/** Access points may be a few metres apart. */
const maxZoom = 19
const arrow = 'path-arrow'

/** A map of a path between access points: an arrow for the moves from one to another, wider for more of them. */
export function PathMap(props: PathMapProps) {
  const { label, points, lines } = props
  const scheme = useComputedColorScheme('light')
  const container = useRef<HTMLDivElement>(null)
  const map = useRef<MapLibre>(undefined)
  const latest = useRef(props)
  latest.current = props
  const [isUnsupported, setUnsupported] = useState(false)

  useEffect(() => {
    if (!container.current) return
    let created: MapLibre
    try {
      created = createBaseMap(container.current, scheme, {
        bounds: areaOf(latest.current.points) ?? europe,
        previous: map.current?.getBounds(),
      })
    } catch {
      return setUnsupported(true)
    }
    map.current = created
    created.doubleClickZoom.enable()
    created.getCanvas().setAttribute('aria-label', latest.current.label)
    created.on('load', () => {
      addLayers(created, scheme)
      updateData(created, latest.current)
    })
    // For tests: the path is drawn.
    created.once('idle', () => created.getContainer().setAttribute('data-drawn', ''))
    return () => created.remove()
  }, [scheme])

  useEffect(() => {
    if (map.current?.getSource('path-points')) updateData(map.current, { points, lines })
  }, [points, lines])

  const areaKey = areaOf(points)?.join()
  useEffect(() => {
    const area = areaOf(latest.current.points)
    if (area) map.current?.fitBounds(area, { padding: 60, maxZoom, animate: false })
  }, [areaKey])

  if (isUnsupported)
    return (
      <Center h="100%" p="lg">
        <Text size="sm" c="dimmed" ta="center">
          This browser cannot display the map: it needs WebGL. Use the table instead.
        </Text>
      </Center>
    )
  return <div ref={container} className="fleet-map" role="application" aria-label={label} />
}

function addLayers(map: MapLibre, scheme: Scheme): void {
  const palette = paletteOf(scheme)
  addTechnologyImages(map, scheme)
  map.addImage(arrow, arrowImage(palette.ink, palette.land), { pixelRatio: 2 })
  map.addSource('path-lines', { type: 'geojson', data: emptyCollection })
  map.addSource('path-points', { type: 'geojson', data: emptyCollection })
  map.addLayer({
    id: 'path-lines',
    type: 'line',
    source: 'path-lines',
    layout: { 'line-cap': 'round' },
    paint: {
      'line-color': palette.ink,
      'line-opacity': 0.7,
      'line-width': ['interpolate', ['linear'], ['get', 'count'], 1, 1.5, 10, 5],
      // The two directions are beside each other.
      'line-offset': 4,
    },
  })
  map.addLayer({
    id: 'path-arrows',
    type: 'symbol',
    source: 'path-lines',
    layout: {
      'symbol-placement': 'line-center',
      'icon-image': arrow,
      'icon-offset': [0, 4],
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
    },
  })
  map.addLayer({
    id: 'path-current',
    type: 'circle',
    source: 'path-points',
    filter: ['==', ['get', 'is_current'], true],
    paint: {
      'circle-radius': 13,
      'circle-opacity': 0,
      'circle-stroke-width': 2,
      'circle-stroke-color': palette.ink,
    },
  })
  map.addLayer({
    id: 'path-points',
    type: 'symbol',
    source: 'path-points',
    layout: {
      'icon-image': ['get', 'technology'],
      'icon-allow-overlap': true,
      'text-field': ['get', 'label'],
      'text-font': ['sans-serif'],
      'text-size': 12,
      'text-max-width': 100,
      'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
      'text-radial-offset': 1.3,
      'text-justify': 'auto',
      'text-optional': true,
    },
    paint: { 'text-color': palette.ink, 'text-halo-color': palette.land, 'text-halo-width': 1.8 },
  })
}

function updateData(map: MapLibre, { points, lines }: Pick<PathMapProps, 'points' | 'lines'>): void {
  const pointFeatures = points.map(
    ({ label, technology, isCurrent, position }): Feature => ({
      type: 'Feature',
      properties: { label, technology, is_current: isCurrent },
      geometry: { type: 'Point', coordinates: coordinatesOf(position) },
    }),
  )
  const lineFeatures = lines.map(
    ({ from, to, count }): Feature => ({
      type: 'Feature',
      properties: { count },
      geometry: { type: 'LineString', coordinates: [coordinatesOf(from), coordinatesOf(to)] },
    }),
  )
  void map.getSource<GeoJSONSource>('path-points')?.setData(collection(pointFeatures))
  void map.getSource<GeoJSONSource>('path-lines')?.setData(collection(lineFeatures))
}

const coordinatesOf = ({ longitude, latitude }: Position): [number, number] => [longitude, latitude]

const collection = (features: Feature[]): FeatureCollection => ({ type: 'FeatureCollection', features })
