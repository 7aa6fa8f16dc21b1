import './clients.css'
import type { FleetAgent } from '@manc/sdk'
import { Text } from '@mantine/core'
import { CatchBoundary } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import type { PathLine, PathPoint } from '../map/path-map.tsx'
import { Empty, Loading } from '../ui/states.tsx'
import { type Move, pathsOf, type Visit } from './client-path.ts'

const PathMap = lazy(async () => ({ default: (await import('../map/path-map.tsx')).PathMap }))

interface ClientMapProps {
  visits: readonly Visit[]
  moves: readonly Move[]
  agents: ReadonlyMap<string, FleetAgent>
}

/** The access points of the attachments, as far as their positions are known, with the moves between them. */
export function ClientMap({ visits, moves, agents }: ClientMapProps) {
  const drawn = drawnOf(visits, moves, agents)
  // Drawing the same again would keep the map busy.
  const key = JSON.stringify(drawn)
  const { points, lines } = useMemo(() => drawn, [key])
  if (points.length === 0)
    return (
      <Text size="sm">
        No position is known. Set a geolocation in the configuration of the access points to see them on a
        map.
      </Text>
    )
  return (
    <div className="client-map">
      <CatchBoundary getResetKey={() => 'map'} errorComponent={NoMap}>
        <Suspense fallback={<Loading what="map" />}>
          <PathMap label="Map of the moves of the client" points={points} lines={lines} />
        </Suspense>
      </CatchBoundary>
    </div>
  )
}

function drawnOf(
  visits: readonly Visit[],
  moves: readonly Move[],
  agents: ReadonlyMap<string, FleetAgent>,
): { points: PathPoint[]; lines: PathLine[] } {
  const current = visits.find(({ ended }) => ended === null)?.apId
  const used = new Set([...visits.map(({ apId }) => apId), ...moves.map(({ fromApId }) => fromApId)])
  const points = [...used].flatMap((apId) => {
    const agent = agents.get(apId)
    if (!agent?.position) return []
    const { name, technology, position } = agent
    return { apId, label: name ?? apId, technology, position, isCurrent: apId === current }
  })
  const positions = new Map(points.map(({ apId, position }) => [apId, position]))
  const lines = pathsOf(moves).flatMap(({ from, to, count }) => {
    const [start, end] = [positions.get(from), positions.get(to)]
    return start && end ? { from: start, to: end, count } : []
  })
  return { points, lines }
}

function NoMap() {
  return (
    <Empty title="Map failed to load">Reload the page to try again. The table has all attachments.</Empty>
  )
}
