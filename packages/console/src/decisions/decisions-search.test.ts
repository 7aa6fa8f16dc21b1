import { expect, it } from 'vitest'
import { decisionsQuery, parseDecisionsSearch } from './decisions-search.ts'

it('reads the filter from the address', () => {
  expect(parseDecisionsSearch({ state: 'proposed', owner: 'advisor', ap: 'wifi-1' })).toEqual({
    state: 'proposed',
    owner: 'advisor',
    ap: 'wifi-1',
  })
})

it('ignores parameters that are not valid', () => {
  expect(parseDecisionsSearch({ state: 'constructor', owner: '', ap: 7, other: 'x' })).toEqual({})
  expect(parseDecisionsSearch({ owner: 'x'.repeat(321) })).toEqual({})
})

it('asks the controller for what is chosen', () => {
  expect(decisionsQuery({ state: 'executed', ap: 'wifi-1' })).toEqual({
    state: ['executed'],
    ap_id: 'wifi-1',
  })
  expect(decisionsQuery({})).toEqual({})
})
