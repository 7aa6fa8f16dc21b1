import type { FleetAgent } from '@manc/sdk'
import { describe, expect, it } from 'vitest'
import { areaBetween, areaIn, areaText, bodyOf, countRecipients, hasFilter, idsIn } from './recipients.ts'

const box = { west: -2.62, south: 51.44, east: -2.55, north: 51.47 }

describe('an area', () => {
  it('is read as the interface writes it, and written so that it is read again', () => {
    expect(areaIn(' -2.62, 51.44,-2.55,51.47 ')).toEqual(box)
    expect(areaIn(areaText(box))).toEqual(box)
  })

  it.each(['', '1,2,3', '1,2,3,x', '1,2,3,', '0,50,1,40', '-181,0,0,1', '0,0,0,91'])('is not %j', (text) => {
    expect(areaIn(text)).toBeUndefined()
  })

  it('lies between two corners, whichever they are', () => {
    const northWest = { latitude: 51.47, longitude: -2.62 }
    const southEast = { latitude: 51.44, longitude: -2.55 }
    expect(areaBetween(northWest, southEast)).toEqual(box)
    expect(areaBetween(southEast, northWest)).toEqual(box)
  })
})

describe('who is meant', () => {
  it('is nobody until something is said', () => {
    const nothing = { technology: undefined, area: undefined, ids: [] }
    expect(hasFilter(nothing)).toBe(false)
    expect(hasFilter({ ...nothing, ids: ['a'] })).toBe(true)
    expect(bodyOf(' reboot ', nothing)).toEqual({ command: 'reboot' })
    expect(bodyOf('reboot', { technology: 'WiFi', area: box, ids: ['a'] })).toEqual({
      command: 'reboot',
      technology: 'WiFi',
      area: box,
      agents: ['a'],
    })
  })

  it('may be listed with commas, spaces or lines, and twice', () => {
    expect(idsIn(' a, b\nc;a ')).toEqual(['a', 'b', 'c'])
  })

  it('is counted, with those who are not there', () => {
    const agent = (id: string, state: string) => ({ ap_id: id, state }) as FleetAgent
    const agents = [agent('a', 'online'), agent('b', 'offline'), agent('c', 'online')]
    expect(countRecipients(agents, [])).toEqual({ total: 3, online: 2, unknown: [] })
    expect(countRecipients(agents, ['b', 'x'])).toEqual({ total: 1, online: 0, unknown: ['x'] })
  })
})
