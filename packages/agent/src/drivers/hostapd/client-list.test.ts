import { describe, expect, it } from 'vitest'
import { ClientList } from './client-list.ts'
import type { Station } from './link.ts'

const address = '02:00:00:00:02:00'
const startMs = Date.UTC(2026, 0, 1)
const at = (seconds: number) => new Date(startMs + seconds * 1000).toISOString()

describe('the clients of a BSS', () => {
  it('are attached since the same time, although the clock of the device is slower', () => {
    const list = new ClientList()
    const sinceAt = (seconds: number, connectedS: number) =>
      list.clientsOf([{ address, connectedS }], startMs + seconds * 1000)[0]?.since
    expect(sinceAt(10, 10)).toBe(at(0))
    expect(sinceAt(1010, 990)).toBe(at(0))
    // It left and came back.
    expect(sinceAt(1020, 3)).toBe(at(1017))
    list.clientsOf([], startMs + 1030_000)
    expect(sinceAt(1040, 5)).toBe(at(1035))
  })

  it('have another start after a return, although their time is longer than before', () => {
    const list = new ClientList()
    const sinceAt = (seconds: number, connectedS: number, more: Partial<Station> = {}) =>
      list.clientsOf([{ address, connectedS, ...more }], startMs + seconds * 1000)[0]?.since
    expect(sinceAt(5, 5)).toBe(at(0))
    expect(sinceAt(65, 10)).toBe(at(55))
    // In a short time only the counters tell it.
    expect(sinceAt(66, 11, { rxBytes: 900, txBytes: 900 })).toBe(at(55))
    expect(sinceAt(78, 12, { rxBytes: 2000, txBytes: 100 })).toBe(at(66))
  })

  it('keep their start when a counter of bytes begins again at 0, or the clock of the device stands', () => {
    const list = new ClientList()
    const sinceAt = (seconds: number, connectedS: number, rxBytes: number) =>
      list.clientsOf([{ address, connectedS, rxBytes }], startMs + seconds * 1000)[0]?.since
    expect(sinceAt(1000, 1000, 4e9)).toBe(at(0))
    expect(sinceAt(1010, 1007, 100)).toBe(at(0))
    expect(sinceAt(1100, 1007, 200)).toBe(at(0))
  })

  it('keep their start when answers arrive in another order', () => {
    const list = new ClientList()
    const sinceAt = (seconds: number, connectedS: number, txBytes: number) =>
      list.clientsOf([{ address, connectedS, txBytes }], startMs + seconds * 1000)[0]?.since
    // The second answers are older than the first ones.
    expect(sinceAt(2, 2, 500)).toBe(at(0))
    expect(sinceAt(2.1, 1, 400)).toBe(at(0))
    expect(sinceAt(1010, 990, 9000)).toBe(at(0))
    expect(sinceAt(1010.1, 989, 8000)).toBe(at(0))
    expect(sinceAt(1020, 1000, 9500)).toBe(at(0))
  })

  it('have no start where the device does not tell, or tells nonsense', () => {
    const list = new ClientList()
    const of = (connectedS: number | undefined) => list.clientsOf([{ address, connectedS }], startMs)
    expect(of(undefined)).toEqual([{ client: address }])
    expect(of(-1)).toEqual([{ client: address }])
    expect(of(1e12)).toEqual([{ client: address }])
  })
})
