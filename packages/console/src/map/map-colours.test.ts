import { healths } from '@manc/contract/health'
import { expect, it } from 'vitest'
import { technologies } from '../ui/theme.ts'
import { groupOf, groupsOf, mapColours, maxGroups } from './map-colours.ts'

const labelOf = (by: (typeof mapColours)[number], agent: Parameters<typeof groupOf>[1], load?: number) =>
  groupsOf(by, 'light')[groupOf(by, agent, load)]?.label

it('every technology, health and load has a group with its name', () => {
  for (const technology of technologies)
    for (const health of healths) {
      const agent = { technology, health }
      expect(labelOf('technology', agent)).toBe(technology)
      expect(labelOf('health', agent)).toBe(health)
    }
  const agent = { technology: 'WiFi', health: 'good' } as const
  const loads = [-1, 0, 19.9, 20, 99, 100, 140, undefined].map((load) => labelOf('load', agent, load))
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
