import type { FleetAgent, Technology } from '@manc/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { findAgent } from '../access-point/access-point-data.ts'
import { useManc } from '../app/session.tsx'
import { formatCount } from '../format/number.ts'
import type { Subject } from './compare-lines.ts'
import type { Comparison } from './compare-search.ts'

const compared: readonly Technology[] = ['5G', 'WiFi', 'LiFi']

/** The selected access points in the order of selection, and the IDs that do not exist. */
export function useChosenAgents(apIds: readonly string[]) {
  const manc = useManc()
  return useQuery({
    queryKey: ['compared', apIds],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(apIds.map((apId) => findAgent(manc, apId, signal)))
      return {
        agents: found.flatMap((agent) => agent ?? []),
        missing: apIds.filter((_, n) => !found[n]),
      }
    },
    staleTime: 30_000,
    // Keeps the other lines while one is added.
    placeholderData: keepPreviousData,
  })
}

/** One line for each, or for the group; two for each if periods are compared. */
export function subjectsOf(
  {
    mode,
    technology,
    isGroup,
    agents: apIds,
  }: Pick<Comparison, 'mode' | 'technology' | 'isGroup' | 'agents'>,
  agents: readonly FleetAgent[],
): Subject[] {
  const group: Subject = {
    key: 'group',
    label: formatCount(apIds.length, 'access point'),
    technology: 'other',
    group: apIds,
  }
  const lineOfEach = agents.map(({ ap_id: apId, name, technology: its }): Subject => {
    return { key: apId, label: name ?? apId, technology: its, apId }
  })
  const ofTechnology = (each: Technology): Subject => ({ key: each, label: each, technology: each })
  const ofAgents = isGroup ? (apIds.length > 0 ? [group] : []) : lineOfEach
  if (mode === 'agents') return ofAgents
  if (mode === 'technologies') return compared.map(ofTechnology)
  return (technology ? [ofTechnology(technology)] : ofAgents).flatMap((subject) => [
    { ...subject, key: `${subject.key} A`, label: `${subject.label}, A` },
    { ...subject, key: `${subject.key} B`, label: `${subject.label}, B`, isSecond: true },
  ])
}
