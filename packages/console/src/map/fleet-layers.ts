import type { AgentState, FleetCells, Health, Technology } from '@manc/sdk'
import type { Feature, Point } from 'geojson'
import type { ExpressionSpecification, GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import { clusterImage, type Mark, technologyImage } from './glyphs.ts'
import { countsOf, groupOf, groupsOf, type MapColour, maxGroups } from './map-colours.ts'
import { emptyCollection, paletteOf, type Scheme } from './map-style.ts'

/** Access points, or their cells, and the area of all. */
export type ShownCells = Pick<FleetCells, 'agents' | 'cells' | 'area'>

interface ShownFleet {
  cells: ShownCells
  colourBy: MapColour
}

type CellAgent = FleetCells['agents'][number]
type Cell = FleetCells['cells'][number]
type Position = Pick<Cell, 'latitude' | 'longitude'>

/** Layers with access points, for clicks. */
export const fleetLayers = ['agents', 'clusters'] as const

const clusterPrefix = 'cluster'
const agentPrefix = 'agent'
/** Longer names would cover their neighbours. */
const maxLabel = 24
const labelsFromZoom = 14
/** How much closer a click on a cell zooms. */
const cellZoom = 2

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
  ['log10', ['get', 'count']],
  0.3,
  0.85,
  4,
  1.6,
]

/** Of a cell and of a cluster of cells, `1.2k`. */
const countText: ExpressionSpecification = [
  'case',
  ['>=', ['get', 'count'], 10_000],
  ['concat', ['round', ['/', ['get', 'count'], 1000]], 'k'],
  ['>=', ['get', 'count'], 1000],
  ['concat', ['/', ['round', ['/', ['get', 'count'], 100]], 10], 'k'],
  ['to-string', ['get', 'count']],
]

/** Has several access points: a cluster of the map, or a cell of the controller. */
const isGroup: ExpressionSpecification = ['any', ['has', 'point_count'], ['has', 'is_cell']]

const groupNumbers = Array.from({ length: maxGroups }, (_, n) => n)
const countName = (group: number) => `group${group}`

/** `2 5 1 0 0 0`: shares of the groups in eighths, so coarse that clusters share images. */
const sharesInEighths: (string | ExpressionSpecification)[] = groupNumbers.flatMap((group) => [
  ' ',
  ['to-string', ['ceil', ['/', ['*', 8, ['get', countName(group)]], ['get', 'count']]]],
])

const clusterImageOf = (by: MapColour): ExpressionSpecification => [
  'concat',
  `${clusterPrefix} ${by} `,
  ['to-string', ['get', 'worst']],
  ...sharesInEighths,
]

/** Adds the source and the layers of the access points. */
export function addFleet(map: MapLibre, scheme: Scheme, colourBy: MapColour): void {
  const palette = paletteOf(scheme)
  // Images are drawn on first use: there are few combinations.
  map.setMissingStyleImageResolver((id) => {
    const image = imageOf(id, scheme)
    if (image) map.addImage(id, image, { pixelRatio: 2 })
  })
  map.addSource('agents', {
    type: 'geojson',
    data: emptyCollection,
    cluster: true,
    clusterRadius: 44,
    clusterMaxZoom: 16,
    clusterProperties: {
      worst: ['max', ['get', 'severity']],
      count: ['+', ['get', 'count']],
      ...Object.fromEntries(
        groupNumbers.map((group) => [countName(group), ['+', ['get', countName(group)]]]),
      ),
    },
  })
  map.addLayer({
    id: 'clusters',
    type: 'symbol',
    source: 'agents',
    filter: isGroup,
    layout: {
      // One image per cluster: overlapping layers are slow without a graphics card.
      'icon-image': clusterImageOf(colourBy),
      'icon-size': clusterScale,
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
      'text-field': countText,
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
    filter: ['!', isGroup],
    layout: {
      'icon-image': ['get', 'image'],
      'icon-allow-overlap': true,
      'text-field': ['step', ['zoom'], '', labelsFromZoom, ['get', 'label']],
      'text-font': ['sans-serif'],
      'text-size': 12,
      // On one line, on any side where it covers no other label or symbol.
      'text-max-width': 100,
      'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
      'text-radial-offset': 1.1,
      'text-justify': 'auto',
      'text-padding': 4,
      'text-optional': true,
      // Those that need attention are labelled first.
      'symbol-sort-key': ['-', 0, ['get', 'severity']],
    },
    paint: { 'text-color': palette.ink, 'text-halo-color': palette.land, 'text-halo-width': 1.8 },
  })
}

export function showFleet(map: MapLibre, { cells: { agents, cells }, colourBy }: ShownFleet): void {
  const features = [
    ...agents.flatMap((agent) => (agent.position ? agentFeature(agent, agent.position, colourBy) : [])),
    ...cells.map((cell) => cellFeature(cell, colourBy)),
  ]
  map.setLayoutProperty('clusters', 'icon-image', clusterImageOf(colourBy))
  void map.getSource<GeoJSONSource>('agents')?.setData({ type: 'FeatureCollection', features })
}

function agentFeature(agent: CellAgent, position: Position, colourBy: MapColour): Feature<Point> {
  const { ap_id, name, technology, state, health } = agent
  const group = groupOf(colourBy, agent)
  return featureAt(position, {
    ap_id,
    label: shortened(name ?? ap_id),
    image: [agentPrefix, colourBy, group, technology, state, markOf(health)].join(' '),
    severity: severityOf(state, health),
    count: 1,
    ...countsByName(groupNumbers.map((each) => (each === group ? 1 : 0))),
  })
}

function cellFeature(cell: Cell, colourBy: MapColour): Feature<Point> {
  const [bad = 0, degraded = 0] = cell.healths
  const [online = 0] = cell.states
  const severity = bad > 0 || online < cell.agents ? 2 : degraded > 0 ? 1 : 0
  return featureAt(cell, {
    is_cell: true,
    severity,
    // Read where a cluster has the most severe one of its members.
    worst: severity,
    count: cell.agents,
    ...countsByName(countsOf(colourBy, cell)),
  })
}

const featureAt = (
  { longitude, latitude }: Position,
  properties: Record<string, unknown>,
): Feature<Point> => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
})

const countsByName = (counts: readonly number[]) =>
  Object.fromEntries(groupNumbers.map((group) => [countName(group), counts[group] ?? 0]))

const shortened = (label: string): string =>
  label.length > maxLabel ? `${label.slice(0, maxLabel - 1)}…` : label

function imageOf(id: string, scheme: Scheme): ImageData | undefined {
  const [kind, by = '', first = '', ...rest] = id.split(' ')
  const palette = paletteOf(scheme)
  const groups = groupsOf(by as MapColour, scheme)
  if (kind === clusterPrefix) {
    const shares = rest.map((share, n) => ({ share: Number(share), colour: groups[n]?.colour ?? '' }))
    const edges = [
      undefined,
      { colour: palette.degraded, isDashed: true },
      { colour: palette.bad, isDashed: false },
    ]
    return clusterImage(shares, palette.land, edges[Number(first)])
  }
  const group = groups[Number(first)]
  if (kind !== agentPrefix || !group) return undefined
  const [technology, state, mark] = rest as [Technology, AgentState, Mark]
  return technologyImage(
    { technology, state, mark },
    {
      shape: group.colour,
      outline: group.hasOutline && palette.name,
      mark: mark === 'bad' ? palette.bad : palette.degraded,
      background: palette.land,
    },
  )
}

/** Zooms in until the cluster breaks up. A cell gets smaller cells, or its access points. */
export async function zoomInto(
  map: MapLibre,
  cluster: { properties: Record<string, unknown>; geometry: unknown } | undefined,
): Promise<void> {
  const source = map.getSource<GeoJSONSource>('agents')
  if (!cluster || !source) return
  const zoom =
    'is_cell' in cluster.properties
      ? map.getZoom() + cellZoom
      : await source.getClusterExpansionZoom(Number(cluster.properties['cluster_id']))
  const [longitude = 0, latitude = 0] = (cluster.geometry as Point).coordinates
  map.easeTo({ center: [longitude, latitude], zoom: zoom + 0.5 })
}
