import { expect, it } from 'vitest'
import { isAboutClient, parseEventsSearch, severitiesFrom } from './events-search.ts'

it('a filter is read from the address, and invalid parameters are ignored', () => {
  expect(parseEventsSearch({ kind: 'command', severity: 'critical' })).toEqual({
    kind: 'command',
    severity: 'critical',
  })
  expect(parseEventsSearch({ kind: 'toString', severity: 7 })).toEqual({})
  expect(parseEventsSearch({ severity: 'info' })).toEqual({})
})

it('a least severity includes the worse ones', () => {
  expect(severitiesFrom('warning')).toEqual(['warning', 'critical'])
  expect(severitiesFrom('info')).toHaveLength(3)
})

it('events about clients are told from others', () => {
  expect(['handover', 'roamed', 'dropped'].every(isAboutClient)).toBe(true)
  expect(['online', 'command', 'of a later version'].some(isAboutClient)).toBe(false)
})
