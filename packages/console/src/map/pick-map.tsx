import './pick-map.css'
import type { Box, Technology } from '@manc/sdk'
import { Center, Text, useComputedColorScheme } from '@mantine/core'
import type { FeatureCollection } from 'geojson'
import { type GeoJSONSource, LngLatBounds, type Map as MapLibre, Marker } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import { colourOf, technologies } from '../ui/theme.ts'
import { createBaseMap, europe } from './base-map.ts'
import { technologyImage } from './glyphs.ts'
import { empty, paletteOf, type Scheme } from './map-style.ts'

interface Spot {
  latitude: number
  longitude: number
}

interface PickMapProps {
  /** What it is for, in words. */
  label: string
  /** Access points, as they are or will be. */
  glyphs: readonly (Spot & { technology: Technology })[]
  /** What was picked, each to be taken away by a click. */
  pins?: readonly (Spot & { label: string; index: number })[]
  box?: Box | undefined
  onPick: (at: Spot) => void
  onRemove?: (index: number) => void
  /** Shows everything each time that this changes. */
  look?: number
}

/** A map to say where: by a click, or with the keyboard by its middle. */
export function PickMap(props: PickMapProps) {
  const { label, glyphs, pins, box, look } = props
  const scheme = useComputedColorScheme('light')
  const place = useRef<HTMLDivElement>(null)
  const map = useRef<MapLibre>(undefined)
  const latest = useRef(props)
  latest.current = props
  const [problem, setProblem] = useState(false)

  useEffect(() => {
    if (!place.current) return
    let own: MapLibre
    try {
      own = createBaseMap(place.current, scheme, {
        wanted: boundsOf(latest.current) ?? europe,
        before: map.current?.getBounds(),
      })
    } catch {
      return setProblem(true)
    }
    map.current = own
    own.getCanvas().setAttribute('aria-label', latest.current.label)
    own.on('load', () => {
      addLayers(own, scheme)
      draw(own, latest.current)
    })
    own.on('click', ({ lngLat }) => latest.current.onPick(spotAt(lngLat)))
    own.getCanvas().addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') latest.current.onPick(spotAt(own.getCenter()))
    })
    return () => own.remove()
  }, [scheme])

  useEffect(() => {
    if (map.current?.getSource('glyphs')) draw(map.current, { glyphs, box })
  }, [glyphs, box])

  useEffect(() => {
    const own = map.current
    if (!own) return
    const markers = (pins ?? []).map((pin, n) =>
      markerOf(pin, n, (index) => latest.current.onRemove?.(index)),
    )
    for (const marker of markers) marker.addTo(own)
    return () => {
      for (const marker of markers) marker.remove()
    }
  }, [pins, scheme])

  useEffect(() => {
    const bounds = boundsOf(latest.current)
    if (look && bounds) map.current?.fitBounds(bounds, { padding: 48, maxZoom: 17 })
  }, [look])

  if (problem)
    return (
      <Center h="100%" p="lg">
        <Text size="sm" c="dimmed" ta="center">
          This browser cannot display the map: it needs WebGL. Enter the location as text instead.
        </Text>
      </Center>
    )
  return (
    <>
      <div ref={place} className="pick-map" role="application" aria-label={label} />
      <div className="pick-middle" aria-hidden />
    </>
  )
}

function addLayers(map: MapLibre, scheme: Scheme): void {
  const tone = paletteOf(scheme)
  for (const technology of technologies)
    map.addImage(technology, technologyImage(technology, 'online', colourOf(technology, scheme), tone.land), {
      pixelRatio: 2,
    })
  map.addSource('box', { type: 'geojson', data: empty })
  map.addSource('glyphs', { type: 'geojson', data: empty })
  map.addLayer({
    id: 'box',
    type: 'fill',
    source: 'box',
    paint: { 'fill-color': tone.ink, 'fill-opacity': 0.12 },
  })
  map.addLayer({
    id: 'box-edge',
    type: 'line',
    source: 'box',
    paint: { 'line-color': tone.ink, 'line-width': 2, 'line-dasharray': [3, 2] },
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

function draw(map: MapLibre, { glyphs, box }: Pick<PickMapProps, 'glyphs' | 'box'>): void {
  const data: FeatureCollection = {
    type: 'FeatureCollection',
    features: glyphs.map(({ technology, latitude, longitude }) => ({
      type: 'Feature',
      properties: { technology },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    })),
  }
  void map.getSource<GeoJSONSource>('glyphs')?.setData(data)
  void map.getSource<GeoJSONSource>('box')?.setData(box ? shapeOf(box) : empty)
}

function shapeOf({ west, south, east, north }: Box): FeatureCollection {
  // Beyond the antimeridian a map goes on counting.
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

/** A button, so that the keyboard reaches it. */
function markerOf(pin: Spot & { label: string; index: number }, n: number, remove: (index: number) => void) {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = 'pick-pin'
  element.addEventListener('click', (event) => {
    event.stopPropagation()
    remove(pin.index)
  })
  const marker = new Marker({ element }).setLngLat([pin.longitude, pin.latitude])
  // Also what is seen in it is in its name.
  element.textContent = String(n + 1)
  element.setAttribute('aria-label', `${n + 1}: remove ${pin.label}`)
  return marker
}

function spotAt(at: { lng: number; lat: number; wrap(): { lng: number; lat: number } }): Spot {
  const { lng, lat } = at.wrap()
  return { latitude: lat, longitude: lng }
}

function boundsOf({ glyphs, pins = [], box }: Pick<PickMapProps, 'glyphs' | 'pins' | 'box'>) {
  const bounds = new LngLatBounds()
  for (const { longitude, latitude } of [...glyphs, ...pins]) bounds.extend([longitude, latitude])
  if (box) bounds.extend([box.west, box.south]).extend([box.east, box.north])
  return bounds.isEmpty() ? undefined : bounds
}
