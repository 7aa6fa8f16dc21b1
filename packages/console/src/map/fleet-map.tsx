import type { FleetAgent } from '@manc/sdk'
import { Center, Text, useComputedColorScheme } from '@mantine/core'
import type { FeatureCollection, Point } from 'geojson'
import type { ExpressionSpecification, GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import { type Area, areaOf } from '../fleet/area.ts'
import { colourOf, states, technologies } from '../ui/theme.ts'
import { boundsInView, createBaseMap, europe } from './base-map.ts'
import { clusterImage, technologyImage } from './glyphs.ts'
import { empty, paletteOf, type Scheme } from './map-style.ts'

export interface FleetMapProps {
  agents: readonly FleetAgent[]
  /** Where to look, each time that it changes; else at all of them. */
  area?: Area | undefined
  /** What was in view when it was left: it goes on there. */
  start?: Area | undefined
  onOpen: (apId: string) => void
  /** Told what is in view. */
  onMove?: (area: Area) => void
}

const clusterName = 'cluster '

/** Larger with their number, in tens. */
const clusterScale: ExpressionSpecification = [
  'interpolate',
  ['linear'],
  ['log10', ['get', 'point_count']],
  0.3,
  0.85,
  4,
  1.6,
]

/** `2 5 1 0`: which part of a cluster is of which technology, coarse enough that pictures are shared. */
const sharesInEighths: (string | ExpressionSpecification)[] = technologies.flatMap((technology, n) => [
  n > 0 ? ' ' : '',
  ['to-string', ['ceil', ['/', ['*', 8, ['get', technology]], ['get', 'point_count']]]],
])

export function FleetMap({ agents, area, start, onOpen, onMove }: FleetMapProps) {
  const scheme = useComputedColorScheme('light')
  const place = useRef<HTMLDivElement>(null)
  const map = useRef<MapLibre>(undefined)
  const latest = useRef({ agents, area, start, onOpen, onMove })
  latest.current = { agents, area, start, onOpen, onMove }
  const [problem, setProblem] = useState(false)

  useEffect(() => {
    if (!place.current) return
    const before = map.current?.getBounds() ?? latest.current.start
    const wanted = latest.current.area ?? areaOf(latest.current.agents) ?? europe
    let own: MapLibre
    try {
      own = createBaseMap(place.current, scheme, { wanted, before })
    } catch {
      return setProblem(true)
    }
    map.current = own
    own.doubleClickZoom.enable()
    own.getCanvas().setAttribute('aria-label', 'Map of access points')
    own.on('load', () => {
      addFleet(own, scheme)
      showAgents(own, latest.current.agents)
      latest.current.onMove?.(boundsInView(own))
    })
    // Seen from outside: the access points are on it.
    own.once('idle', () => own.getContainer().setAttribute('data-drawn', ''))
    own.on('moveend', () => latest.current.onMove?.(boundsInView(own)))
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

  const look = area?.join()
  const looked = useRef(start && look)
  useEffect(() => {
    const wanted = latest.current.area
    if (look === looked.current) return
    looked.current = look
    if (wanted) map.current?.fitBounds(wanted, { padding: 60, maxZoom: 17, animate: false })
  }, [look])

  if (problem)
    return (
      <Center h="100%" p="lg">
        <Text size="sm" c="dimmed" ta="center">
          This browser cannot display the map: it needs WebGL. Use the list instead.
        </Text>
      </Center>
    )
  return (
    <div
      ref={place}
      style={{ position: 'absolute', inset: 0 }}
      role="application"
      aria-label="Map of access points"
    />
  )
}

function addFleet(map: MapLibre, scheme: Scheme): void {
  const tone = paletteOf(scheme)
  for (const technology of technologies)
    for (const state of states)
      map.addImage(
        `${technology} ${state}`,
        technologyImage(technology, state, colourOf(technology, scheme), tone.land),
        { pixelRatio: 2 },
      )
  // Drawn when the first of its kind comes up: there are not many.
  map.setMissingStyleImageResolver((id) => {
    if (!id.startsWith(clusterName)) return
    const [troubled, ...eighths] = id.slice(clusterName.length).split(' ')
    const shares = eighths.map((share, n) => ({
      share: Number(share),
      colour: colourOf(technologies[n] ?? 'other', scheme),
    }))
    const edge = troubled === 'true' ? tone.trouble : undefined
    map.addImage(id, clusterImage(shares, tone.land, edge), { pixelRatio: 2 })
  })
  map.addSource('agents', {
    type: 'geojson',
    data: empty,
    cluster: true,
    clusterRadius: 44,
    clusterMaxZoom: 16,
    clusterProperties: {
      troubled: ['+', ['case', ['==', ['get', 'state'], 'online'], 0, 1]],
      ...Object.fromEntries(
        technologies.map((each) => [each, ['+', ['case', ['==', ['get', 'technology'], each], 1, 0]]]),
      ),
    },
  })
  map.addLayer({
    id: 'clusters',
    type: 'symbol',
    source: 'agents',
    filter: ['has', 'point_count'],
    layout: {
      // All in one picture: layers upon each other are what costs where a map is drawn without a graphics card.
      'icon-image': ['concat', clusterName, ['>', ['get', 'troubled'], 0], ' ', ...sharesInEighths],
      'icon-size': clusterScale,
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
      'text-field': ['get', 'point_count_abbreviated'],
      'text-font': ['sans-serif'],
      'text-size': 12,
      'text-allow-overlap': true,
    },
    paint: { 'text-color': tone.ink },
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
