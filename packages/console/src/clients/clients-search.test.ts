import { expect, it } from 'vitest'
import {
  clientsQuery,
  clientsSearch,
  hasFilters,
  parseClientSearch,
  parseClients,
  withoutFilters,
} from './clients-search.ts'

it('the table is read from the address as it was written', () => {
  const search = {
    q: 'c01',
    state: 'all',
    technology: 'WiFi,LiFi',
    ap: 'wifi-1',
    place: 'North wing',
    emulated: 'all',
    sort: 'since',
    density: 'comfortable',
  }
  expect(clientsSearch(parseClients(search))).toEqual(search)
})

it('an address without parameters, or with invalid ones, is the default', () => {
  const byDefault = parseClients({})
  expect(byDefault).toMatchObject({ state: 'attached', sort: 'id', emulated: 'own', density: 'compact' })
  expect(clientsSearch(byDefault)).toEqual({})
  const invalid = { q: {}, state: 'gone', technology: '6G', ap: [], place: true, sort: 'rate', density: 2 }
  expect(parseClients(invalid)).toEqual(byDefault)
})

it('numbers in the address are texts, and long texts are cut', () => {
  expect(parseClients({ q: 42, ap: 7 })).toMatchObject({ text: '42', apId: '7' })
  expect(parseClients({ place: 'x'.repeat(500) }).place).toHaveLength(128)
})

it('the request has only the filters that are set', () => {
  expect(clientsQuery(parseClients({ q: ' ' }))).toEqual({ state: 'attached', emulated: 'own', sort: 'id' })
  expect(clientsQuery(parseClients({ q: ' c0 ', ap: 'wifi-1', technology: '5G' }))).toEqual({
    state: 'attached',
    emulated: 'own',
    sort: 'id',
    q: 'c0',
    ap_id: 'wifi-1',
    technology: ['5G'],
  })
})

it('removing the filters keeps sort, density and emulated access points', () => {
  const table = parseClients({ q: 'c', state: 'detached', place: 'Hall', sort: 'since', emulated: 'all' })
  const cleared = { ...table, ...withoutFilters }
  expect([hasFilters(table), hasFilters(cleared)]).toEqual([true, false])
  expect(clientsSearch(cleared)).toEqual({ sort: 'since', emulated: 'all' })
})

it('the lanes of the timeline are technologies unless the address has access points', () => {
  expect([parseClientSearch({ lanes: 'access-point' }), parseClientSearch({ lanes: 'x' })]).toEqual([
    { lanes: 'access-point' },
    {},
  ])
})
