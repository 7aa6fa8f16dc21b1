import { expect, it } from 'vitest'
import { fromSearch, toSearch } from './compare-search.ts'

it('a comparison is read from the address as it was written', () => {
  const comparison = {
    mode: 'technologies' as const,
    agents: ['a', 'b'],
    metric: 'load_pct',
    windowS: 900,
  }
  expect(fromSearch({ ...toSearch(comparison) })).toEqual(comparison)
  expect(toSearch({ mode: 'agents', agents: [], metric: undefined, windowS: 300 })).toEqual({})
})

it('invalid parameters of the address are ignored', () => {
  const many = Array.from({ length: 40 }, (_, n) => `ap-${n % 20}`).join(',')
  expect(fromSearch({ agents: many, metric: 'nonsense', window: 'x', by: 1 })).toMatchObject({
    mode: 'agents',
    metric: undefined,
    windowS: 300,
  })
  expect(fromSearch({ agents: many }).agents).toHaveLength(12)
  expect(fromSearch({ agents: 17 }).agents).toEqual(['17'])
  expect(fromSearch({}).agents).toEqual([])
})
