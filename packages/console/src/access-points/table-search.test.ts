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

it('a view of the table is the table again', () => {
  const table = parseTable({ q: 'hall', health: 'bad', sort: 'clients', columns: 'name,clients' })
  const view = {
    id: 'a',
    name: 'Hall',
    shared: true,
    created_by: 'x',
    is_own: true,
    updated_at: '',
    ...viewOfState(table),
  }
  expect(stateOfView(view)).toEqual({ ...stateOf(table), view: 'a' })
})

const stateOf = ({ density: _density, ...table }: ReturnType<typeof parseTable>) => table
