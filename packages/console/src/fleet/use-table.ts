import type { FleetTable, FleetTableOptions, FleetTableRow } from '@manc/sdk'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useManc } from '../app/session.tsx'

const pageSize = 100
const refreshMs = 5000
/** Pages that were scrolled past are forgotten soon. */
const keepMs = 20_000

/** Filter and order of the rows. */
export type TableQuery = Omit<FleetTableOptions, 'offset' | 'limit' | 'signal' | 'timeoutMs'>

export interface Table {
  total: number | undefined
  /** Sort and filter of these rows. */
  query: string
  rowAt: (index: number) => FleetTableRow | undefined
  /** No row of this sort and filter is known yet. */
  isPending: boolean
  hasMetrics: boolean
  error: Error | null
  updatedAt: number
  retry: () => void
}

/** The rows between two indexes, read in pages and again every few seconds. */
export function useTable(query: TableQuery, first: number, last: number, everyMs = refreshMs): Table {
  const manc = useManc()
  const key = JSON.stringify(query)
  const pages = pagesBetween(useSettled(first), useSettled(last))
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['fleet', 'table', key, page],
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<FleetTable> =>
        manc.fleet.table({ ...query, offset: page * pageSize, limit: pageSize, signal }),
      refetchInterval: everyMs,
      gcTime: keepMs,
    })),
  })
  const newest = results
    .filter(({ data }) => data)
    .toSorted((a, b) => b.dataUpdatedAt - a.dataUpdatedAt)
    .at(0)
  // The height of the list stays the same until another number is known.
  const total = useRef<number>(undefined)
  if (newest?.data) total.current = newest.data.total
  const byPage = new Map(pages.map((page, index) => [page, results[index]?.data]))
  return {
    total: total.current,
    query: key,
    rowAt: (index) => byPage.get(Math.floor(index / pageSize))?.rows[index % pageSize],
    isPending: !newest && results.some(({ isPending }) => isPending),
    hasMetrics: newest?.data?.has_metrics ?? true,
    error: results.find(({ error, data }) => error && !data)?.error ?? null,
    updatedAt: newest?.dataUpdatedAt ?? 0,
    retry: () => results.forEach((result) => void result.refetch()),
  }
}

function pagesBetween(first: number, last: number): number[] {
  const [from, to] = [Math.floor(first / pageSize), Math.floor(Math.max(first, last) / pageSize)]
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** A value that has not changed for a moment: pages that the scroll bar passes over are not read. */
function useSettled(value: number): number {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 60)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
