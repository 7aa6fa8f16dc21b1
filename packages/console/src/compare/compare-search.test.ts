import { expect, it } from 'vitest'
import { type Comparison, fromSearch, secondPeriod, toSearch } from './compare-search.ts'

const none: Comparison = {
  mode: 'agents',
  agents: [],
  isGroup: false,
  technology: undefined,
  second: 'before',
  metric: undefined,
  hidden: [],
}

it.each<Comparison>([
  { ...none, mode: 'technologies', agents: ['a', 'b'], metric: 'load_pct' },
  { ...none, mode: 'periods', technology: 'LiFi', second: Date.parse('2026-11-17T10:00:00Z') },
  { ...none, agents: ['a', 'b'], isGroup: true },
  { ...none, mode: 'periods', agents: ['a'], second: 'week', hidden: ['a 2'] },
])('the comparison %o is read from the address as it was written', (comparison) => {
  expect(fromSearch({ ...toSearch(comparison) })).toEqual(comparison)
})

it('the default comparison is not in the address', () => {
  expect(toSearch(none)).toEqual({})
})

it('invalid parameters of the address are ignored', () => {
  expect(fromSearch({ metric: 'nonsense', by: 1, technology: '6G', second: 'soon' })).toEqual(none)
  expect(fromSearch({ agents: 17 }).agents).toEqual(['17'])
  expect(fromSearch({}).agents).toEqual([])
})

it('more access points than a chart can show are a group', () => {
  const some = (count: number) => Array.from({ length: count }, (_, n) => `ap-${n % 200}`).join(',')
  expect(fromSearch({ agents: some(12) })).toMatchObject({ isGroup: false })
  expect(fromSearch({ agents: some(13) })).toMatchObject({ isGroup: true })
  expect(fromSearch({ agents: some(7), by: 'period' })).toMatchObject({ isGroup: true })
  expect(fromSearch({ agents: some(400) }).agents).toHaveLength(100)
  expect(toSearch(fromSearch({ agents: some(13) }))).not.toHaveProperty('group')
})

it('the second period has the length of the first', () => {
  const first = { fromMs: 100_000_000, toMs: 100_003_000 }
  expect(secondPeriod(first, 'before')).toEqual({ fromMs: 99_997_000, toMs: 100_000_000 })
  expect(secondPeriod(first, 'day')).toEqual({ fromMs: 13_600_000, toMs: 13_603_000 })
  expect(secondPeriod(first, 5000)).toEqual({ fromMs: 5000, toMs: 8000 })
})
