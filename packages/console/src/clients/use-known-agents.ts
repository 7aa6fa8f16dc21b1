import type { FleetAgent } from '@manc/sdk'
import { useDebouncedValue } from '@mantine/hooks'
import { useRef } from 'react'
import { useAgents } from '../fleet/fleet.ts'

/** The controller reads no more at once. */
const maxIds = 100

/** Access points by id, as far as they are read. Those that were read before stay known, so that names do not disappear. */
export function useKnownAgents(ids: readonly string[]): ReadonlyMap<string, FleetAgent> {
  const wanted = JSON.stringify([...new Set(ids)].slice(0, maxIds).toSorted())
  // Rows that the scroll bar passes over are not read.
  const [settled] = useDebouncedValue(wanted, 100)
  const found = useAgents(JSON.parse(settled) as string[])
  const known = useRef(new Map<string, FleetAgent>())
  for (const [apId, agent] of found) known.current.set(apId, agent)
  return known.current
}
