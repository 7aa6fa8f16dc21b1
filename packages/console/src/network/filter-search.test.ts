import { expect, it } from 'vitest'
import { filterSearch, parseFilter } from './filter-search.ts'

it('a filter is read from the address as it was written', () => {
  const filter = {
    text: '42',
    technology: ['5G', 'LiFi'] as const,
    state: ['offline'] as const,
    health: ['bad', 'degraded'] as const,
    isInView: true,
    emulated: 'all' as const,
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
  }
  expect(parseFilter(odd)).toEqual({
    text: '',
    technology: ['LiFi'],
    state: [],
    health: [],
    isInView: false,
    emulated: 'own',
  })
  expect(parseFilter({ q: 42 }).text).toBe('42')
})
