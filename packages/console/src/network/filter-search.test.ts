import { expect, it } from 'vitest'
import { filterSearch, parseFilter } from './filter-search.ts'

it('is the same after a way through the address', () => {
  const wanted = {
    words: '42',
    technology: ['5G', 'LiFi'] as const,
    state: ['offline'] as const,
    isInView: true,
  }
  const there = { ...wanted, technology: [...wanted.technology], state: [...wanted.state] }
  expect(parseFilter({ ...filterSearch(there) })).toEqual(there)
  expect(filterSearch(parseFilter({}))).toEqual({})
})

it('passes over what an address may not say', () => {
  const odd = { q: { $ne: 1 }, technology: 'LiFi,gas', state: 7, view: 'yes' }
  expect(parseFilter(odd)).toEqual({ words: '', technology: ['LiFi'], state: [], isInView: false })
  expect(parseFilter({ q: 42 }).words).toBe('42')
})
