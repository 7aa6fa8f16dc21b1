import type { FleetCells } from '@manc/sdk'
import { Box } from '@mantine/core'
import { CatchBoundary } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { Area } from '../fleet/area.ts'
import { type CellsQuery, useAgents, useFleetCells } from '../fleet/fleet.ts'
import { boxOf, contains, rounded } from '../fleet/map-box.ts'
import type { MapColour } from '../map/map-colours.ts'
import { MapLegend } from '../map/map-legend.tsx'
import { Empty, Loading } from '../ui/states.tsx'
import { AccessPointCard } from './access-point-card.tsx'
import { useMapLayers } from './use-map-layers.ts'

const FleetMap = lazy(async () => ({ default: (await import('../map/fleet-map.tsx')).FleetMap }))

interface NetworkMapProps {
  query: CellsQuery
  /** All that match, or their cells. */
  overview: FleetCells | undefined
  /** From the address. */
  area: Area | undefined
  inView: Area | undefined
  onMove: (area: Area) => void
  colour: MapColour
  onColour: (colour: MapColour) => void
  selected: string | undefined
  onSelect: (apId: string | undefined) => void
}

/** The map of the access points that match, with the legend of its colours and the card of one of them. */
export function NetworkMap(props: NetworkMapProps) {
  const { query, overview, area, inView, onMove, colour, onColour, selected, onSelect } = props
  const layers = useMapLayers()
  const shown = useShownCells(query, overview, inView)
  // Also one that is in a cell, and so that its card gets the focus when it is loaded.
  const chosen = useAgents(selected === undefined ? [] : [selected]).get(selected ?? '')
  return (
    <Box pos="relative" h="100%" mih={280}>
      <CatchBoundary getResetKey={() => 'map'} errorComponent={NoMap}>
        <Suspense fallback={<Loading what="map" />}>
          {shown ? (
            <FleetMap
              cells={shown}
              area={area}
              start={inView}
              colourBy={colour}
              layers={layers}
              selected={selected}
              selectedPosition={chosen?.position}
              onSelect={onSelect}
              onMove={onMove}
              card={(apId, { isPinned }) => (
                <CardOf apId={apId} onClose={isPinned ? () => onSelect(undefined) : undefined} />
              )}
            />
          ) : (
            <Loading what="map" />
          )}
          <MapLegend value={colour} onChange={onColour} />
        </Suspense>
      </CatchBoundary>
    </Box>
  )
}

/** All that match, or what the view shows of them in smaller cells. */
function useShownCells(
  query: CellsQuery,
  overview: FleetCells | undefined,
  inView: Area | undefined,
): FleetCells | undefined {
  const around = inView && rounded(inView)
  const box = around && boxOf(around)
  const hasCells = overview !== undefined && overview.cells.length > 0
  const isCloser =
    hasCells && box !== undefined && !(around && overview.area && contains(around, overview.area))
  const closer = useFleetCells({ ...query, ...(box && { area: box }) }, isCloser)
  return closer ?? overview
}

function CardOf({ apId, onClose }: { apId: string; onClose: (() => void) | undefined }) {
  const agent = useAgents([apId]).get(apId)
  return agent ? <AccessPointCard agent={agent} onClose={onClose} /> : null
}

function NoMap() {
  return (
    <Empty title="Map failed to load">Reload the page to try again. The list shows all access points.</Empty>
  )
}
