import type { FleetCells, MapLayers } from '@manc/sdk'
import { Center, Text, useComputedColorScheme } from '@mantine/core'
import type { Map as MapLibre } from 'maplibre-gl'
import { type ReactNode, useEffect, useReducer, useRef, useState } from 'react'
import type { Area } from '../fleet/area.ts'
import { boundsInView, createBaseMap, europe } from './base-map.ts'
import { addFleet, fleetLayers, type ShownCells, showFleet, zoomInto } from './fleet-layers.ts'
import type { MapColour } from './map-colours.ts'
import { addOverlay } from './map-overlay.ts'
import { MapPopup } from './map-popup.tsx'

type Position = FleetCells['agents'][number]['position']

export interface FleetMapProps {
  cells: ShownCells
  /** The area to show whenever it changes; by default all access points. */
  area?: Area | undefined
  /** The view to restore. */
  start?: Area | undefined
  colourBy?: MapColour
  /** Streets and buildings. */
  layers?: MapLayers | undefined
  /** Its card is shown until it is closed. */
  selected?: string | undefined
  /** Where the card is, if the selected access point is in a cell. */
  selectedPosition?: Position | undefined
  /** The content of the card of an access point. Without it there is no card. */
  card?: (apId: string, options: { isPinned: boolean }) => ReactNode
  /** A click or Enter on an access point; undefined: on no access point. */
  onSelect: (apId: string | undefined) => void
  /** Called with the visible area. */
  onMove?: (area: Area) => void
}

const label = 'Map of access points'
/** Moving across access points opens no cards. */
const hoverDelayMs = 120
/** Enough to reach the card with the pointer. */
const leaveDelayMs = 300
/** Distance from the centre in which Enter finds an access point. */
const reachPx = 40
/** Access points that are nearer to each other are at the same place. */
const samePlacePx = 2

export function FleetMap(props: FleetMapProps) {
  const { cells, area, start, colourBy = 'technology', layers, selected, selectedPosition, card } = props
  const scheme = useComputedColorScheme('light')
  const container = useRef<HTMLDivElement>(null)
  const map = useRef<MapLibre>(undefined)
  const latest = useRef({ ...props, colourBy })
  latest.current = { ...props, colourBy }
  const [isUnsupported, setUnsupported] = useState(false)
  /** The map on which cards are shown. It has its layers. */
  const [ready, setReady] = useState<MapLibre>()
  const hover = useHover()
  /** The keyboard has asked for the card, also for one that is open. */
  const wantsFocus = useRef(false)
  const [, askForFocus] = useReducer((count: number) => count + 1, 0)

  useEffect(() => {
    if (!container.current) return
    const previous = map.current?.getBounds() ?? latest.current.start
    const bounds = latest.current.area ?? areaOf(latest.current.cells) ?? europe
    let created: MapLibre
    try {
      created = createBaseMap(container.current, scheme, { bounds, previous })
    } catch {
      return setUnsupported(true)
    }
    map.current = created
    created.doubleClickZoom.enable()
    created.getCanvas().setAttribute('aria-label', label)
    created.on('load', () => {
      addFleet(created, scheme, latest.current.colourBy)
      showFleet(created, latest.current)
      if (latest.current.layers) addOverlay(created, latest.current.layers, scheme)
      latest.current.onMove?.(boundsInView(created))
      setReady(created)
    })
    // For tests: the access points are drawn.
    created.once('idle', () => created.getContainer().setAttribute('data-drawn', ''))
    created.on('moveend', () => latest.current.onMove?.(boundsInView(created)))
    const open = (point: { x: number; y: number }, reach: number) => {
      const found = nearest(created, point, reach)
      const [first] = found
      if (first?.layer.id === 'clusters') return void zoomInto(created, first)
      // The next one of several at the same place.
      const apIds = found.map(({ properties }) => String(properties['ap_id']))
      const next = apIds.indexOf(latest.current.selected ?? '') + 1
      latest.current.onSelect(apIds[next % apIds.length])
    }
    created.on('click', ({ point }) => open(point, 3))
    created.getCanvas().addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return
      // Otherwise the key would also press the button of the card that gets the focus.
      event.preventDefault()
      wantsFocus.current = true
      askForFocus()
      open(created.project(created.getCenter()), reachPx)
    })
    for (const layer of fleetLayers) {
      created.on('mouseenter', layer, () => (created.getCanvas().style.cursor = 'pointer'))
      created.on('mouseleave', layer, () => (created.getCanvas().style.cursor = ''))
    }
    created.on('mousemove', 'agents', ({ features }) =>
      hover.enter(String(features?.[0]?.properties['ap_id'])),
    )
    created.on('mouseleave', 'agents', hover.leave)
    return () => {
      setReady(undefined)
      created.remove()
    }
  }, [scheme])

  useEffect(() => {
    if (map.current?.getSource('agents')) showFleet(map.current, { cells, colourBy })
    // A response with the same content has the same lists: drawing them again would keep the map busy.
  }, [cells.agents, cells.cells, colourBy])

  useEffect(() => {
    if (ready && layers) addOverlay(ready, layers, scheme)
  }, [ready, layers])

  // Closing a card under the pointer leaves none.
  useEffect(() => {
    if (selected === undefined) hover.clear()
  }, [selected])

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
  const shownId = selected ?? hover.apId
  const found = card && cells.agents.find(({ ap_id: apId }) => apId === shownId)?.position
  const position = found ?? (selected === undefined ? undefined : selectedPosition)
  return (
    <>
      <div ref={container} className="fleet-map" role="application" aria-label={label} />
      <div className="map-centre" aria-hidden />
      {ready && card && shownId !== undefined && position && (
        <MapPopup
          key={shownId}
          map={ready}
          position={position}
          wantsFocus={wantsFocus}
          onPointer={(isInside) => (isInside ? hover.enter(shownId) : hover.leave())}
          onEscape={() => {
            latest.current.onSelect(undefined)
            ready.getCanvas().focus()
          }}
        >
          {card(shownId, { isPinned: selected !== undefined })}
        </MapPopup>
      )}
    </>
  )
}

const areaOf = ({ area }: ShownCells): Area | undefined =>
  area ? [area.west, area.south, area.east, area.north] : undefined

/** The access points or clusters that are nearest to a point of the screen, within a distance in pixels. */
function nearest(map: MapLibre, { x, y }: { x: number; y: number }, reach: number) {
  const box: [[number, number], [number, number]] = [
    [x - reach, y - reach],
    [x + reach, y + reach],
  ]
  const found = map.queryRenderedFeatures(box, { layers: [...fleetLayers] })
  const distances = found.map(({ geometry }) => {
    const [longitude = 0, latitude = 0] = (geometry as { coordinates?: number[] }).coordinates ?? []
    const at = map.project([longitude, latitude])
    return Math.hypot(at.x - x, at.y - y)
  })
  const least = Math.min(...distances)
  return found.filter((_, n) => (distances[n] ?? Infinity) <= least + samePlacePx)
}

/** The access point under the pointer, after a moment. */
function useHover() {
  const [apId, setApId] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const later = (value: string | undefined, delayMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setApId(value), delayMs)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const shown = useRef(apId)
  shown.current = apId
  const [hover] = useState(() => ({
    enter: (entered: string) => later(entered, entered === shown.current ? 0 : hoverDelayMs),
    leave: () => later(undefined, leaveDelayMs),
    clear: () => later(undefined, 0),
  }))
  return { apId, ...hover }
}
