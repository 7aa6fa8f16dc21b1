import { useRouter, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { parseTable, type TableState, tableSearch } from './table-search.ts'

export type ChangeTable = (changes: Partial<TableState>) => void

const path = '/access-points'

/** The table in the address. */
export function useTableState(): { table: TableState; change: ChangeTable } {
  const { navigate, history } = useRouter()
  const search = useSearch({ from: '/inside/access-points' })
  const table = useMemo(() => parseTable({ ...search }), [search])
  const change: ChangeTable = (changes) => {
    // A debounced change must not navigate back after the user has left the page.
    if (history.location.pathname !== path) return
    void navigate({
      to: path,
      search: (before) => tableSearch({ ...parseTable({ ...before }), isLink: false, ...changes }),
      replace: true,
    })
  }
  return { table, change }
}
