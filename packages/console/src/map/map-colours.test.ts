import { healths } from '@manc/contract/health'
import { expect, it } from 'vitest'
import { technologies } from '../ui/theme.ts'
import { countsOf, groupOf, groupsOf, mapColours, maxGroups } from './map-colours.ts'

const labelOf = (by: (typeof mapColours)[number], agent: Parameters<typeof groupOf>[1]) =>
  groupsOf(by, 'light')[groupOf(by, agent)]?.label

it('every technology, health and load has a group with its name', () => {
  for (const technology of technologies)
    for (const health of healths) {
      const agent = { technology, health }
      expect(labelOf('technology', agent)).toBe(technology)
      expect(labelOf('health', agent)).toBe(health)
    }
  const agent = { technology: 'WiFi', health: 'good' } as const
  const loads = [-1, 0, 19.9, 20, 99, 100, 140, null].map((load) =>
    labelOf('load', { ...agent, load_pct: load }),
  )
  expect(loads).toEqual([
    '0 to 20 %',
    '0 to 20 %',
    '0 to 20 %',
    '20 to 40 %',
    '80 to 100 %',
    '80 to 100 %',
    '80 to 100 %',
    'no value',
  ])
})

it('clusters can count all groups', () => {
  for (const by of mapColours) expect(groupsOf(by, 'dark').length).toBeLessThanOrEqual(maxGroups)
})

it('the counts of a cell are in the order of the groups', () => {
  const cell = {
    latitude: 51,
    longitude: -2,
    agents: 9,
    technologies: [9, 0, 0, 0],
    states: [8, 1, 0],
    healths: [1, 2, 0, 0, 6],
  }
  expect(groupsOf('health', 'light').map(({ label }) => label)).toEqual([...healths])
  expect(groupsOf('technology', 'light').map(({ label }) => label)).toEqual([...technologies])
  expect(countsOf('technology', cell)).toEqual([9, 0, 0, 0])
  expect(countsOf('health', cell)).toEqual([1, 2, 0, 0, 6])
  expect(countsOf('load', cell)).toEqual([0, 0, 0, 0, 0, 9])
  expect(countsOf('load', { ...cell, loads: [3, 0, 0, 0, 5, 1] })).toEqual([3, 0, 0, 0, 5, 1])
})
