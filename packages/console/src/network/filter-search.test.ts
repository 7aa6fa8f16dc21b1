import { expect, it } from 'vitest'
import { filterSearch, parseFilter } from './filter-search.ts'

it('a filter is read from the address as it was written', () => {
  const filter = {
    text: '42',
    technology: ['5G', 'LiFi'] as const,
    state: ['offline'] as const,
    health: ['bad', 'degraded'] as const,
    isInView: false,
    emulated: 'all' as const,
    colour: 'load' as const,
    sort: 'load' as const,
    pane: 'list' as const,
    selected: '42',
  }
  const expected = {
    ...filter,
    technology: [...filter.technology],
    state: [...filter.state],
    health: [...filter.health],
  }
  expect(parseFilter({ ...filterSearch(expected) })).toEqual(expected)
  expect(filterSearch(parseFilter({}))).toEqual({})
})

it('invalid parameters of the address are ignored', () => {
  const odd = {
    q: { $ne: 1 },
    technology: 'LiFi,gas',
    state: 7,
    health: 'worst',
    view: 'yes',
    emulated: 'mine',
    colour: 'blue',
    sort: 'name',
    show: 7,
    selected: ['a'],
  }
  expect(parseFilter(odd)).toEqual({
    text: '',
    technology: ['LiFi'],
    state: [],
    health: [],
    isInView: true,
    emulated: 'own',
    colour: 'technology',
    sort: 'health',
    pane: 'map',
    selected: undefined,
  })
  expect(parseFilter({ q: 42, selected: 7 })).toMatchObject({ text: '42', selected: '7' })
})
