import './pick-map.css'
import type { Box, Technology } from '@manc/sdk'
import { Center, Text, useComputedColorScheme } from '@mantine/core'
import type { FeatureCollection } from 'geojson'
import { type GeoJSONSource, LngLatBounds, type Map as MapLibre, Marker } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import { createBaseMap, europe } from './base-map.ts'
import { emptyCollection, paletteOf, type Scheme } from './map-style.ts'
import { addTechnologyImages } from './technology-images.ts'

interface Position {
  latitude: number
  longitude: number
}

interface PickMapProps {
  /** The accessible name. */
  label: string
  /** Access points to show. */
  glyphs: readonly (Position & { technology: Technology })[]
  /** Picked positions; a click removes one. */
  pins?: readonly (Position & { label: string; index: number })[]
  box?: Box | undefined
  onPick: (at: Position) => void
  onRemove?: (index: number) => void
  /** Zooms to all content whenever this changes. */
  zoomCount?: number
}

/** A map to pick positions: with a click, or with the keyboard at its centre. */
export function PickMap(props: PickMapProps) {
  const { label, glyphs, pins, box, zoomCount } = props
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
        bounds: boundsOf(latest.current) ?? europe,
        previous: map.current?.getBounds(),
      })
    } catch {
      return setUnsupported(true)
    }
    map.current = created
    created.getCanvas().setAttribute('aria-label', latest.current.label)
    created.on('load', () => {
      addLayers(created, scheme)
      updateData(created, latest.current)
    })
    created.on('click', ({ lngLat }) => latest.current.onPick(positionAt(lngLat)))
    created.getCanvas().addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') latest.current.onPick(positionAt(created.getCenter()))
    })
    return () => created.remove()
  }, [scheme])

  useEffect(() => {
    if (map.current?.getSource('glyphs')) updateData(map.current, { glyphs, box })
  }, [glyphs, box])

  useEffect(() => {
    const created = map.current
    if (!created) return
    const markers = (pins ?? []).map((pin, n) =>
      markerOf(pin, n, (index) => latest.current.onRemove?.(index)),
    )
    for (const marker of markers) marker.addTo(created)
    return () => {
      for (const marker of markers) marker.remove()
    }
  }, [pins, scheme])

  useEffect(() => {
    const bounds = boundsOf(latest.current)
    if (zoomCount && bounds) map.current?.fitBounds(bounds, { padding: 48, maxZoom: 17 })
  }, [zoomCount])

  if (isUnsupported)
    return (
      <Center h="100%" p="lg">
        <Text size="sm" c="dimmed" ta="center">
          This browser cannot display the map: it needs WebGL. Enter the location as text instead.
        </Text>
      </Center>
    )
  return (
    <>
      <div ref={container} className="pick-map" role="application" aria-label={label} />
      <div className="map-centre" aria-hidden />
    </>
  )
}

function addLayers(map: MapLibre, scheme: Scheme): void {
  const palette = paletteOf(scheme)
  addTechnologyImages(map, scheme)
  map.addSource('box', { type: 'geojson', data: emptyCollection })
  map.addSource('glyphs', { type: 'geojson', data: emptyCollection })
  map.addLayer({
    id: 'box',
    type: 'fill',
    source: 'box',
    paint: { 'fill-color': palette.ink, 'fill-opacity': 0.12 },
  })
  map.addLayer({
    id: 'box-edge',
    type: 'line',
    source: 'box',
    paint: { 'line-color': palette.ink, 'line-width': 2, 'line-dasharray': [3, 2] },
  })
  map.addLayer({
    id: 'glyphs',
    type: 'symbol',
    source: 'glyphs',
    layout: {
      'icon-image': ['get', 'technology'],
      'icon-size': ['interpolate', ['linear'], ['zoom'], 8, 0.5, 15, 0.9],
      'icon-allow-overlap': true,
    },
  })
}

function updateData(map: MapLibre, { glyphs, box }: Pick<PickMapProps, 'glyphs' | 'box'>): void {
  const data: FeatureCollection = {
    type: 'FeatureCollection',
    features: glyphs.map(({ technology, latitude, longitude }) => ({
      type: 'Feature',
      properties: { technology },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    })),
  }
  void map.getSource<GeoJSONSource>('glyphs')?.setData(data)
  void map.getSource<GeoJSONSource>('box')?.setData(box ? boxPolygon(box) : emptyCollection)
}

function boxPolygon({ west, south, east, north }: Box): FeatureCollection {
  // Beyond the antimeridian longitudes continue.
  const to = east < west ? east + 360 : east
  const ring = [
    [west, south],
    [to, south],
    [to, north],
    [west, north],
    [west, south],
  ]
  return {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } }],
  }
}

/** A button, so that it can be reached with the keyboard. */
function markerOf(
  pin: Position & { label: string; index: number },
  n: number,
  remove: (index: number) => void,
) {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = 'pick-pin'
  element.addEventListener('click', (event) => {
    event.stopPropagation()
    remove(pin.index)
  })
  const marker = new Marker({ element }).setLngLat([pin.longitude, pin.latitude])
  // The accessible name starts with the visible text.
  element.textContent = String(n + 1)
  element.setAttribute('aria-label', `${n + 1}: remove ${pin.label}`)
  return marker
}

function positionAt(at: { lng: number; lat: number; wrap(): { lng: number; lat: number } }): Position {
  const { lng, lat } = at.wrap()
  return { latitude: lat, longitude: lng }
}

function boundsOf({ glyphs, pins = [], box }: Pick<PickMapProps, 'glyphs' | 'pins' | 'box'>) {
  const bounds = new LngLatBounds()
  for (const { longitude, latitude } of [...glyphs, ...pins]) bounds.extend([longitude, latitude])
  if (box) bounds.extend([box.west, box.south]).extend([box.east, box.north])
  return bounds.isEmpty() ? undefined : bounds
}
