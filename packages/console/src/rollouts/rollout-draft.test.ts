import { expect, it } from 'vitest'
import { emptyDraft, selectionOf, sharedFields } from './rollout-draft.ts'

const changeText = '{"channel":6}'

it('the request has the selection of the table, or the filters', () => {
  expect(selectionOf({ ...emptyDraft, selected: ['a', 'b'], technology: 'WiFi', changeText })).toEqual({
    selection: { agents: ['a', 'b'], technology: ['WiFi'], emulated: 'all', change: { channel: 6 } },
  })
  expect(selectionOf({ ...emptyDraft, areaText: '1,2,3,4', changeText })).toEqual({
    selection: {
      area: { west: 1, south: 2, east: 3, north: 4 },
      emulated: 'own',
      change: { channel: 6 },
    },
  })
})

it('the form says what is missing', () => {
  const problemOf = (draft: object) => selectionOf({ ...emptyDraft, ...draft }).problem
  expect(problemOf({ changeText })).toBe('Set a technology, an area or IDs.')
  expect(problemOf({ idText: 'a', areaText: '1,2', changeText })).toBe('Correct the area.')
  expect(problemOf({ idText: 'a', changeText: '{' })).toBe('Correct the JSON.')
  expect(problemOf({ idText: 'a' })).toBe('Set at least one value to change.')
})

it('the form has no fields for what only one access point can have', () => {
  const paths = sharedFields('WiFi').map(({ path }) => path)
  expect(paths).toContain('channel')
  expect(paths).not.toContain('geolocation.latitude')
})
