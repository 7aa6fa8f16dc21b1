import { type Health, healths } from '@manc/contract/health'
import {
  type SortOrder,
  sortOrders,
  type TableColumn,
  type TableSort,
  tableColumns,
  tableMetrics,
  tableSorts,
} from '@manc/contract/table-columns'
import type { AgentState, EmulatedChoice, Technology, View } from '@manc/sdk'
import { type Density, densities } from '../ui/density.ts'
import { states, technologies } from '../ui/theme.ts'

/** Everything that the table shows, stored in the address so that it can be shared. */
export interface TableState {
  text: string
  technology: Technology[]
  state: AgentState[]
  health: Health[]
  emulated: EmulatedChoice
  sort: TableSort
  order: SortOrder
  columns: TableColumn[]
  density: Density
  /** Id of the saved view that it began with. */
  view: string | undefined
  /** The address has nothing but the view, whose columns, sort and filters are still to be applied. */
  isLink: boolean
}

export interface TableSearch {
  q?: string
  technology?: string
  state?: string
  health?: string
  emulated?: EmulatedChoice
  sort?: TableSort
  order?: SortOrder
  columns?: string
  density?: Density
  view?: string
}

export const defaultColumns: TableColumn[] = [
  'health',
  'name',
  'technology',
  'place',
  'clients',
  'load_pct',
  'throughput_mbps',
  'packet_loss_pct',
  'latency_ms',
  'power_w',
  'last_seen',
  'version',
]

/** The largest and the newest are of interest; other columns begin with the first of the alphabet, or the worst. */
export const defaultOrder = (sort: TableSort): SortOrder =>
  (tableMetrics as readonly string[]).includes(sort) || sort === 'last_seen' ? 'desc' : 'asc'

const listOf = <Name extends string>(names: readonly Name[], value: unknown): Name[] =>
  inOrder(names, typeof value === 'string' ? value.split(',') : [])

/** Those of the names that are selected, always in the same order. */
const inOrder = <Name extends string>(names: readonly Name[], selected: readonly string[] = []): Name[] =>
  names.filter((name) => selected.includes(name))

/** In the order of the address. */
function columnsOf(value: unknown): TableColumn[] {
  const named = typeof value === 'string' ? value.split(',') : []
  const known = [...new Set(named)].flatMap((name) => tableColumns.find((column) => column === name) ?? [])
  return known.length > 0 ? known : defaultColumns
}

/** Reads the search parameters; invalid ones are ignored. */
export function parseTable(search: Record<string, unknown>): TableState {
  // The router parses numeric text as a number.
  const { q, view } = search
  const sort = tableSorts.find((name) => name === search['sort']) ?? 'health'
  return {
    text: typeof q === 'string' || typeof q === 'number' ? String(q).slice(0, 128) : '',
    technology: listOf(technologies, search['technology']),
    state: listOf(states, search['state']),
    health: listOf(healths, search['health']),
    emulated: listOf(['all', 'none'] as const, search['emulated'])[0] ?? 'own',
    sort,
    order: sortOrders.find((name) => name === search['order']) ?? defaultOrder(sort),
    columns: columnsOf(search['columns']),
    density: densities.find((name) => name === search['density']) ?? 'compact',
    view: typeof view === 'string' && view !== '' ? view : undefined,
    isLink: typeof view === 'string' && view !== '' && tableKeys.every((key) => search[key] === undefined),
  }
}

/** The parameters that a view determines. */
const tableKeys = ['q', 'technology', 'state', 'health', 'sort', 'order', 'columns']

/** Default values are left out. */
export function tableSearch(table: TableState): TableSearch {
  const { text, technology, state, health, emulated, sort, order, columns, density, view, isLink } = table
  return {
    ...(text !== '' && { q: text }),
    ...(technology.length > 0 && { technology: technology.join(',') }),
    ...(state.length > 0 && { state: state.join(',') }),
    ...(health.length > 0 && { health: health.join(',') }),
    ...(emulated !== 'own' && { emulated }),
    // Also beside a view, so that the defaults are not taken for a link to it.
    ...((sort !== 'health' || (view !== undefined && !isLink)) && { sort }),
    ...(order !== defaultOrder(sort) && { order }),
    ...(columns.join() !== defaultColumns.join() && { columns: columns.join(',') }),
    ...(density !== 'compact' && { density }),
    ...(view !== undefined && { view }),
  }
}

/** The request for rows. */
export const filterOf = ({ text, technology, state, health, emulated }: TableState) => ({
  ...(text.trim() !== '' && { search: text.trim() }),
  ...(technology.length > 0 && { technology }),
  ...(state.length > 0 && { state }),
  ...(health.length > 0 && { health }),
  emulated,
})

/** The table as a saved view has it. Values that another program has stored may be in another order. */
export const stateOfView = ({ id, columns, sort, order, filters }: View): Omit<TableState, 'density'> => ({
  text: filters.q ?? '',
  technology: inOrder(technologies, filters.technology),
  state: inOrder(states, filters.state),
  health: inOrder(healths, filters.health),
  emulated: filters.emulated ?? 'own',
  sort,
  order,
  columns,
  view: id,
  isLink: false,
})

/** All that is stored of a view. */
export const bodyOfView = ({ name, shared, columns, sort, order, filters }: View) => ({
  name,
  shared,
  columns,
  sort,
  order,
  filters,
})

/** The members of a view that the table determines. */
export const viewOfState = ({ columns, sort, order, ...table }: TableState) => ({
  columns,
  sort,
  order,
  filters: {
    ...(table.text.trim() !== '' && { q: table.text.trim() }),
    ...(table.technology.length > 0 && { technology: table.technology }),
    ...(table.state.length > 0 && { state: table.state }),
    ...(table.health.length > 0 && { health: table.health }),
    ...(table.emulated !== 'own' && { emulated: table.emulated }),
  },
})
