import type { FleetAgent, Manc } from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useManc, useSession } from '../app/session.tsx'
import { boxAround, type Neighbour, nearest } from './distance.ts'

/** The configuration of an access point. */
export function useAgent(apId: string) {
  const manc = useManc()
  return useQuery({
    queryKey: ['agent', apId],
    queryFn: ({ signal }) => manc.agents.get(apId, { signal }),
    refetchInterval: 15_000,
  })
}

/** The status of an access point; null if it does not exist. */
export function useFleetAgent(apId: string) {
  const manc = useManc()
  return useQuery({
    queryKey: ['fleet', 'agent', apId],
    queryFn: async ({ signal }) => (await findAgent(manc, apId, signal)) ?? null,
    refetchInterval: 2000,
  })
}

/** The search also finds IDs that contain this one; those are skipped. */
export async function findAgent(
  manc: Manc,
  apId: string,
  signal: AbortSignal,
): Promise<FleetAgent | undefined> {
  for await (const agent of manc.fleet.agents({ search: apId, emulated: 'all', pageSize: 20, signal }))
    if (agent.ap_id === apId) return agent
  return undefined
}

/** What was rejected of an access point. */
export function useRejections(apId: string) {
  const manc = useManc()
  return useQuery({
    queryKey: ['rejections', apId],
    queryFn: ({ signal }) => manc.agents.rejections(apId, { signal }),
    refetchInterval: 5000,
  })
}

const maxNeighbours = 6
/** The radius grows until enough neighbours are found, so that few others are read in dense areas. */
const searchRadiiM = [30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000]

export function useNeighbours({ ap_id: apId, position }: Pick<FleetAgent, 'ap_id' | 'position'>) {
  const manc = useManc()
  return useQuery({
    queryKey: ['neighbours', apId, position],
    enabled: position !== null,
    queryFn: async ({ signal }): Promise<Neighbour[]> => {
      let found: Neighbour[] = []
      for (const radiusM of searchRadiiM) {
        if (!position) break
        const agents = await Array.fromAsync(
          manc.fleet.agents({ area: boxAround(position, radiusM), signal }),
        )
        found = nearest(agents, apId, position, maxNeighbours)
        if (found.length === maxNeighbours) break
      }
      return found
    },
    // Access points rarely move.
    refetchInterval: 60_000,
  })
}

/** The latest load of each access point. */
export function useLoads(apIds: readonly string[]) {
  const manc = useManc()
  return useQuery({
    queryKey: ['loads', apIds],
    enabled: apIds.length > 0,
    queryFn: async ({ signal }) => {
      const reads = apIds.map(async (apId) => {
        const { series } = await manc.telemetry.chart(apId, ['load_pct'], { window: '30s', signal })
        return [apId, series[0]?.points.at(-1)?.value] as const
      })
      return new Map(await Promise.all(reads))
    },
    refetchInterval: 5000,
  })
}

const rewatchDelayMs = 60_000

/** Text values among the live values. Agents report them only on change, so they are accumulated. Reconnects after errors. */
export function useLiveTexts(apId: string) {
  const { manc, signIns } = useSession()
  const [known] = useState(() => new Map<string, string>())
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(known)
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  const retry = () => setAttempt((before) => before + 1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sign-in and each attempt start again
  useEffect(() => {
    const abort = new AbortController()
    let retryTimer: ReturnType<typeof setTimeout> | undefined
    const watch = async () => {
      for await (const { values } of manc.telemetry.watch([apId], { signal: abort.signal })) {
        setError(undefined)
        const changed = Object.entries(values).filter(
          ([name, value]) => typeof value !== 'number' && known.get(name) !== textOf(value),
        )
        if (changed.length === 0) continue
        for (const [name, value] of changed) known.set(name, textOf(value))
        setTexts(new Map(known))
      }
    }
    watch().catch((failure: unknown) => {
      if (abort.signal.aborted) return
      setError(failure)
      retryTimer = setTimeout(retry, rewatchDelayMs)
    })
    return () => {
      abort.abort()
      clearTimeout(retryTimer)
    }
  }, [manc, signIns, apId, known, attempt])
  return { texts, error, retry }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
