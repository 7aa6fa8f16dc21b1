import { describe, expect, it } from 'vitest'
import { ClientList } from './client-list.ts'

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

  it('have no start where the device does not tell, or tells nonsense', () => {
    const list = new ClientList()
    const of = (connectedS: number | undefined) => list.clientsOf([{ address, connectedS }], startMs)
    expect(of(undefined)).toEqual([{ client: address }])
    expect(of(-1)).toEqual([{ client: address }])
    expect(of(1e12)).toEqual([{ client: address }])
  })
})
