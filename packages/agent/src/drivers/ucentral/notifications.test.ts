import { describe, expect, it } from 'vitest'
import { stationsAfter } from './notifications.ts'

const [first, second] = ['02:00:00:00:00:01', '02:00:00:00:00:02']
const address = '02:00:00:00:aa:01'
const at = (bssid: string) => ({ address, bssid })

describe('stations after events', () => {
  it('have a client that joins, once, at its new BSS', () => {
    expect(stationsAfter([], { hasJoined: true, station: at(first) })).toEqual([at(first)])
    expect(stationsAfter([at(first)], { hasJoined: true, station: at(second) })).toEqual([at(second)])
  })

  it('do not have a client that leaves, unless it is at another BSS', () => {
    const leave = { hasJoined: false, station: at(first) }
    expect(stationsAfter([at(first)], leave)).toEqual([])
    expect(stationsAfter([at(second)], leave)).toEqual([at(second)])
    expect(stationsAfter([at(second)], { hasJoined: false, station: at('') })).toEqual([])
    expect(stationsAfter([at('')], leave)).toEqual([])
  })
})
