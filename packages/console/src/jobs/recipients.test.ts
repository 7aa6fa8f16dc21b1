import type { FleetAgent } from '@manc/sdk'
import { describe, expect, it } from 'vitest'
import {
  areaBetween,
  commandBody,
  countRecipients,
  emulatedOf,
  formatArea,
  hasFilter,
  parseArea,
  parseIds,
} from './recipients.ts'

const box = { west: -2.62, south: 51.44, east: -2.55, north: 51.47 }

describe('an area', () => {
  it('is parsed in the notation of the API, and formatted so that it can be parsed', () => {
    expect(parseArea(' -2.62, 51.44,-2.55,51.47 ')).toEqual(box)
    expect(parseArea(formatArea(box))).toEqual(box)
  })

  it.each(['', '1,2,3', '1,2,3,x', '1,2,3,', '0,50,1,40', '-181,0,0,1', '0,0,0,91'])(
    'is not parsed from %j',
    (text) => {
      expect(parseArea(text)).toBeUndefined()
    },
  )

  it('lies between two corners in any order', () => {
    const northWest = { latitude: 51.47, longitude: -2.62 }
    const southEast = { latitude: 51.44, longitude: -2.55 }
    expect(areaBetween(northWest, southEast)).toEqual(box)
    expect(areaBetween(southEast, northWest)).toEqual(box)
  })
})

describe('the recipients', () => {
  it('need at least one filter', () => {
    const nothing = { technology: undefined, area: undefined, ids: [], emulated: 'own' as const }
    expect(hasFilter(nothing)).toBe(false)
    expect(hasFilter({ ...nothing, ids: ['a'] })).toBe(true)
    expect(commandBody(' reboot ', nothing)).toEqual({ command: 'reboot', emulated: 'own' })
    expect(commandBody('reboot', { ...nothing, technology: 'WiFi', area: box, ids: ['a'] })).toEqual({
      command: 'reboot',
      technology: 'WiFi',
      area: box,
      agents: ['a'],
      emulated: 'all',
    })
  })

  it('include emulated access points of others on request, and those that are listed', () => {
    const filters = { technology: 'WiFi' as const, area: undefined, ids: [] }
    expect(emulatedOf({ ...filters, emulated: 'own' })).toBe('own')
    expect(emulatedOf({ ...filters, emulated: 'all' })).toBe('all')
    expect(emulatedOf({ ...filters, ids: ['a'], emulated: 'none' })).toBe('all')
  })

  it('may be listed with commas, spaces or line breaks, without duplicates', () => {
    expect(parseIds(' a, b\nc;a ')).toEqual(['a', 'b', 'c'])
  })

  it('are counted, and IDs that do not match are listed', () => {
    const agent = (id: string, state: string) => ({ ap_id: id, state }) as FleetAgent
    const agents = [agent('a', 'online'), agent('b', 'offline'), agent('c', 'online')]
    expect(countRecipients(agents, [])).toEqual({ total: 3, online: 2, unknown: [] })
    expect(countRecipients(agents, ['b', 'x'])).toEqual({ total: 1, online: 0, unknown: ['x'] })
  })
})
