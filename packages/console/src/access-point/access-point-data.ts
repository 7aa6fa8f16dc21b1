import type { FleetAgent, Manc } from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useManc } from '../app/session.tsx'
import { boxAround, type Neighbour, nearest } from './distance.ts'

/** What it is set to. */
export function useAgent(apId: string) {
  const manc = useManc()
  return useQuery({
    queryKey: ['agent', apId],
    queryFn: ({ signal }) => manc.agents.get(apId, { signal }),
    refetchInterval: 15_000,
  })
}

/** How it stands. Undefined where the fleet does not know it. */
export function useFleetAgent(apId: string) {
  const manc = useManc()
  return useQuery({
    queryKey: ['fleet', 'agent', apId],
    queryFn: async ({ signal }) => (await findAgent(manc, apId, signal)) ?? null,
    refetchInterval: 2000,
  })
}

/** Its id may be part of others’: those come too, and are passed over. */
export async function findAgent(
  manc: Manc,
  apId: string,
  signal: AbortSignal,
): Promise<FleetAgent | undefined> {
  for await (const agent of manc.fleet.agents({ search: apId, pageSize: 20, signal }))
    if (agent.ap_id === apId) return agent
  return undefined
}

const most = 6
/** Wider and wider, until there are enough: not much more than that is read, however close they stand. */
const searchRadiiM = [30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000]

export function useNeighbours({ ap_id: apId, position }: FleetAgent) {
  const manc = useManc()
  return useQuery({
    queryKey: ['neighbours', apId, position],
    enabled: position !== null,
    queryFn: async ({ signal }): Promise<Neighbour[]> => {
      let found: Neighbour[] = []
      for (const reach of searchRadiiM) {
        if (!position) break
        const around = await Array.fromAsync(manc.fleet.agents({ area: boxAround(position, reach), signal }))
        found = nearest(around, apId, position, most)
        if (found.length === most) break
      }
      return found
    },
    // They seldom move.
    refetchInterval: 60_000,
  })
}

/** The newest load of each. */
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

/** Texts among the live values: only what changes is told, so what was said stays. What broke off begins again. */
export function useLiveTexts(apId: string) {
  const manc = useManc()
  const [known] = useState(() => new Map<string, string>())
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(known)
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  const retry = () => setAttempt((before) => before + 1)
  useEffect(() => {
    const stop = new AbortController()
    let again: ReturnType<typeof setTimeout> | undefined
    const watch = async () => {
      for await (const { values } of manc.telemetry.watch([apId], { signal: stop.signal })) {
        setError(undefined)
        const fresh = Object.entries(values).filter(
          ([name, value]) => typeof value !== 'number' && known.get(name) !== textOf(value),
        )
        if (fresh.length === 0) continue
        for (const [name, value] of fresh) known.set(name, textOf(value))
        setTexts(new Map(known))
      }
    }
    watch().catch((failure: unknown) => {
      if (stop.signal.aborted) return
      setError(failure)
      again = setTimeout(retry, rewatchDelayMs)
    })
    return () => {
      stop.abort()
      clearTimeout(again)
    }
  }, [manc, apId, known, attempt])
  return { texts, error, retry }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
