import type { FleetSummary, Technology } from '@manc/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { findAgent } from '../access-point/access-point-data.ts'
import { useManc } from '../app/session.tsx'
import { useFleetSummary } from '../fleet/fleet.ts'
import { formatNumber } from '../format/number.ts'
import type { Subject } from './compare-lines.ts'

const technologies: readonly Technology[] = ['5G', 'WiFi', 'LiFi']
/** Thirty in total, which is what a page can poll every few seconds. */
const perTechnology = 10

/** The selected access points in the order of selection, and the IDs that do not exist. */
export function useChosenAgents(apIds: readonly string[]) {
  const manc = useManc()
  return useQuery({
    queryKey: ['compared', apIds],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(apIds.map((apId) => findAgent(manc, apId, signal)))
      const subjects = found.flatMap((agent): Subject[] =>
        agent
          ? [
              {
                key: agent.ap_id,
                label: agent.name ?? agent.ap_id,
                technology: agent.technology,
                apIds: [agent.ap_id],
              },
            ]
          : [],
      )
      return { subjects, missing: apIds.filter((_, n) => !found[n]) }
    },
    staleTime: 30_000,
    // Keeps the other lines while one is added.
    placeholderData: keepPreviousData,
  })
}

/** A sample of each technology. */
export function useTechnologies(isEnabled: boolean) {
  const manc = useManc()
  const { data: summary } = useFleetSummary()
  const { data, ...query } = useQuery({
    queryKey: ['compared', 'technologies'],
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const reads = technologies.map(async (technology) => {
        const apIds: string[] = []
        for await (const { ap_id } of manc.fleet.agents({
          technology: [technology],
          state: ['online'],
          pageSize: perTechnology,
          signal,
        }))
          if (apIds.push(ap_id) === perTechnology) break
        return { technology, apIds }
      })
      return (await Promise.all(reads)).filter(({ apIds }) => apIds.length > 0)
    },
    staleTime: 60_000,
  })
  const counts = summary?.technologies
  const found = useMemo(
    () => data && { subjects: data.map((each) => subjectOf(each, counts)), missing: [] as string[] },
    [data, counts],
  )
  return { ...query, data: found }
}

function subjectOf(
  { technology, apIds }: { technology: Technology; apIds: string[] },
  counts: FleetSummary['technologies'] = [],
): Subject {
  const online = counts.find((each) => each.technology === technology)?.online ?? 0
  const all = online > apIds.length ? ` of ${formatNumber(online)}` : ''
  return { key: technology, label: `${technology}, mean of ${apIds.length}${all}`, technology, apIds }
}
