import type { AgentState, FleetAgent, Health } from '@manc/sdk'
import { Center, Text, useComputedColorScheme } from '@mantine/core'
import type { FeatureCollection, Point } from 'geojson'
import type { ExpressionSpecification, GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import { type Area, areaOf } from '../fleet/area.ts'
import { colourOf, states, technologies } from '../ui/theme.ts'
import { boundsInView, createBaseMap, europe } from './base-map.ts'
import { clusterImage, type Mark, technologyImage } from './glyphs.ts'
import { emptyCollection, paletteOf, type Scheme } from './map-style.ts'

export interface FleetMapProps {
  agents: readonly FleetAgent[]
  /** The area to show whenever it changes; by default all access points. */
  area?: Area | undefined
  /** The view to restore. */
  start?: Area | undefined
  onOpen: (apId: string) => void
  /** Called with the visible area. */
  onMove?: (area: Area) => void
}

const clusterPrefix = 'cluster '

const marks: readonly Mark[] = ['none', 'degraded', 'bad']
const markOf = (health: Health): Mark => (health === 'bad' || health === 'degraded' ? health : 'none')

/** 2: bad or not online, 1: degraded, 0: no attention needed. */
function severityOf(state: AgentState, health: Health): number {
  if (state !== 'online' || health === 'bad') return 2
  return health === 'degraded' ? 1 : 0
}

/** Grows with the logarithm of the count. */
const clusterScale: ExpressionSpecification = [
  'interpolate',
  ['linear'],
  ['log10', ['get', 'point_count']],
  0.3,
  0.85,
  4,
  1.6,
]

/** `2 5 1 0`: shares of the technologies in eighths, so coarse that clusters share images. */
const sharesInEighths: (string | ExpressionSpecification)[] = technologies.flatMap((technology, n) => [
  n > 0 ? ' ' : '',
  ['to-string', ['ceil', ['/', ['*', 8, ['get', technology]], ['get', 'point_count']]]],
])

export function FleetMap({ agents, area, start, onOpen, onMove }: FleetMapProps) {
  const scheme = useComputedColorScheme('light')
  const container = useRef<HTMLDivElement>(null)
  const map = useRef<MapLibre>(undefined)
  const latest = useRef({ agents, area, start, onOpen, onMove })
  latest.current = { agents, area, start, onOpen, onMove }
  const [isUnsupported, setUnsupported] = useState(false)

  useEffect(() => {
    if (!container.current) return
    const previous = map.current?.getBounds() ?? latest.current.start
    const bounds = latest.current.area ?? areaOf(latest.current.agents) ?? europe
    let created: MapLibre
    try {
      created = createBaseMap(container.current, scheme, { bounds, previous })
    } catch {
      return setUnsupported(true)
    }
    map.current = created
    created.doubleClickZoom.enable()
    created.getCanvas().setAttribute('aria-label', 'Map of access points')
    created.on('load', () => {
      addFleet(created, scheme)
      showAgents(created, latest.current.agents)
      latest.current.onMove?.(boundsInView(created))
    })
    // For tests: the access points are drawn.
    created.once('idle', () => created.getContainer().setAttribute('data-drawn', ''))
    created.on('moveend', () => latest.current.onMove?.(boundsInView(created)))
    created.on('click', 'agents', ({ features }) => {
      const [feature] = features ?? []
      if (feature) latest.current.onOpen(String(feature.properties['ap_id']))
    })
    created.on('click', 'clusters', ({ features }) => void zoomInto(created, features?.[0]))
    for (const layer of ['agents', 'clusters']) {
      created.on('mouseenter', layer, () => (created.getCanvas().style.cursor = 'pointer'))
      created.on('mouseleave', layer, () => (created.getCanvas().style.cursor = ''))
    }
    return () => created.remove()
  }, [scheme])

  useEffect(() => {
    if (map.current?.getSource('agents')) showAgents(map.current, agents)
  }, [agents])

  const areaKey = area?.join()
  const shownAreaKey = useRef(start && areaKey)
  useEffect(() => {
    const requested = latest.current.area
    if (areaKey === shownAreaKey.current) return
    shownAreaKey.current = areaKey
    if (requested) map.current?.fitBounds(requested, { padding: 60, maxZoom: 17, animate: false })
  }, [areaKey])

  if (isUnsupported)
    return (
      <Center h="100%" p="lg">
        <Text size="sm" c="dimmed" ta="center">
          This browser cannot display the map: it needs WebGL. Use the list instead.
        </Text>
      </Center>
    )
  return (
    <div
      ref={container}
      style={{ position: 'absolute', inset: 0 }}
      role="application"
      aria-label="Map of access points"
    />
  )
}

function addFleet(map: MapLibre, scheme: Scheme): void {
  const palette = paletteOf(scheme)
  for (const technology of technologies)
    for (const state of states)
      for (const mark of marks)
        map.addImage(
          `${technology} ${state} ${mark}`,
          technologyImage(
            { technology, state, mark },
            {
              shape: colourOf(technology, scheme),
              mark: mark === 'bad' ? palette.alarm : palette.warning,
              background: palette.land,
            },
          ),
          { pixelRatio: 2 },
        )
  // Created on first use: there are few combinations.
  map.setMissingStyleImageResolver((id) => {
    if (!id.startsWith(clusterPrefix)) return
    const [worst, ...eighths] = id.slice(clusterPrefix.length).split(' ')
    const shares = eighths.map((share, n) => ({
      share: Number(share),
      colour: colourOf(technologies[n] ?? 'other', scheme),
    }))
    const edge = [undefined, palette.warning, palette.alarm][Number(worst)]
    map.addImage(id, clusterImage(shares, palette.land, edge), { pixelRatio: 2 })
  })
  map.addSource('agents', {
    type: 'geojson',
    data: emptyCollection,
    cluster: true,
    clusterRadius: 44,
    clusterMaxZoom: 16,
    clusterProperties: {
      worst: ['max', ['get', 'severity']],
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
      // One image per cluster: overlapping layers are slow without a graphics card.
      'icon-image': ['concat', clusterPrefix, ['to-string', ['get', 'worst']], ' ', ...sharesInEighths],
      'icon-size': clusterScale,
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
      'text-field': ['get', 'point_count_abbreviated'],
      'text-font': ['sans-serif'],
      'text-size': 12,
      'text-allow-overlap': true,
    },
    paint: { 'text-color': palette.ink },
  })
  map.addLayer({
    id: 'agents',
    type: 'symbol',
    source: 'agents',
    filter: ['!', ['has', 'point_count']],
    layout: {
      'icon-image': ['concat', ['get', 'technology'], ' ', ['get', 'state'], ' ', ['get', 'mark']],
      'icon-allow-overlap': true,
      'text-field': ['step', ['zoom'], '', 14, ['get', 'label']],
      'text-font': ['sans-serif'],
      'text-size': 11,
      'text-offset': [0, 1.2],
      'text-anchor': 'top',
      'text-optional': true,
    },
    paint: { 'text-color': palette.ink, 'text-halo-color': palette.land, 'text-halo-width': 1.2 },
  })
}

function showAgents(map: MapLibre, agents: readonly FleetAgent[]): void {
  const data: FeatureCollection<Point> = {
    type: 'FeatureCollection',
    features: agents.flatMap(({ ap_id, name, technology, state, health, position }) =>
      position
        ? [
            {
              type: 'Feature' as const,
              properties: {
                ap_id,
                label: name ?? ap_id,
                technology,
                state,
                mark: markOf(health),
                severity: severityOf(state, health),
              },
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
