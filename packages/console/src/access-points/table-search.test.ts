import { expect, it } from 'vitest'
import { defaultColumns, parseTable, stateOfView, tableSearch, viewOfState } from './table-search.ts'

it('the table is read from the address as it was written', () => {
  const search = {
    q: 'hall',
    technology: 'WiFi',
    state: 'online,stale',
    health: 'bad',
    emulated: 'all',
    sort: 'load_pct',
    order: 'asc',
    columns: 'name,load_pct,health',
    density: 'comfortable',
    view: '0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b11',
  }
  expect(tableSearch(parseTable(search))).toEqual(search)
})

it('an address without parameters, or with invalid ones, is the default', () => {
  const byDefault = parseTable({})
  expect(byDefault).toMatchObject({ sort: 'health', order: 'asc', columns: defaultColumns, emulated: 'own' })
  expect(tableSearch(byDefault)).toEqual({})
  const invalid = {
    q: {},
    technology: '6G',
    sort: 'reason',
    order: 'up',
    columns: 'colour',
    density: 1,
    view: 7,
  }
  expect(parseTable(invalid)).toEqual(byDefault)
})

it('metrics begin with the largest, and a number is a search text', () => {
  expect(parseTable({ sort: 'clients', q: 42 })).toMatchObject({ order: 'desc', text: '42' })
})

const viewWith = (table: ReturnType<typeof viewOfState>) => ({
  id: 'a',
  name: 'Hall',
  shared: true,
  created_by: 'x',
  is_own: true,
  updated_at: '',
  ...table,
})

it('a view of the table is the table again', () => {
  const table = parseTable({ q: 'hall', health: 'bad', sort: 'clients', columns: 'name,clients' })
  expect(stateOfView(viewWith(viewOfState(table)))).toEqual({ ...stateOf(table), view: 'a' })
})

it('a view with the same filter values in another order is the same', () => {
  const table = viewOfState(parseTable({ health: 'bad,offline', technology: '5G,WiFi' }))
  const { health = [], technology = [] } = table.filters
  const filters = { health: health.toReversed(), technology: technology.toReversed() }
  const state = { ...parseTable({}), ...stateOfView(viewWith({ ...table, filters })) }
  expect([health.length, technology.length, viewOfState(state)]).toEqual([2, 2, table])
})

it('a link to a view is told from a table that was reset to its defaults', () => {
  expect(parseTable({ view: 'a', density: 'comfortable', emulated: 'own' }).isLink).toBe(true)
  expect(tableSearch(parseTable({ view: 'a' }))).toEqual({ view: 'a' })
  const reset = tableSearch({ ...parseTable({ view: 'a' }), isLink: false })
  expect([reset, parseTable({ ...reset }).isLink]).toEqual([{ view: 'a', sort: 'health' }, false])
  expect(parseTable({}).isLink).toBe(false)
})

const stateOf = ({ density: _density, ...table }: ReturnType<typeof parseTable>) => table
