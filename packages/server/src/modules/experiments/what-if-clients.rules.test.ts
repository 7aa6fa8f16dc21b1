import { describe, expect, it } from 'vitest'
import type { MeasuredClient } from '../clients/index.ts'
import { membersOf } from './what-if-clients.rules.ts'

const client = (more: Partial<MeasuredClient> = {}): MeasuredClient => ({
  apId: 'hall',
  signalDbm: -60,
  snrDb: null,
  rateMbps: 400,
  throughputMbps: 6,
  meanMbps: 6,
  heard: { hall: -60 },
  ...more,
})

const cell = (index: number, isFull = false) => ({ index, technology: 'WiFi', isFull })
const cells = new Map([
  ['hall', cell(0, true)],
  ['lobby', cell(1)],
])

describe('clients of a world', () => {
  it('ask for what they get, where their access point has capacity', () => {
    const members = membersOf([client({ apId: 'lobby', meanMbps: 4 })], cells)
    expect([...members]).toEqual([['lobby', [{ mbps: 4, heard: expect.anything() }]]])
  })

  it('ask for at least what they get at one that is full, as others do', () => {
    const free = Array.from({ length: 20 }, (_, n) => client({ apId: 'lobby', meanMbps: n + 1 }))
    const limited = Array.from({ length: 50 }, () => client({ meanMbps: 2.5 }))
    const asked = membersOf([...free, ...limited], cells)
      .get('hall')
      ?.map(({ mbps }) => mbps ?? 0)
    expect(Math.min(...(asked ?? []))).toBe(3)
    expect(Math.max(...(asked ?? []))).toBe(20)
  })

  it('ask for more than they get where all are limited: there is no example', () => {
    expect(membersOf([client({ meanMbps: 2 })], cells).get('hall')).toMatchObject([{ mbps: 3 }])
  })

  it('that take all of a poor link may ask for more, and are no example for others', () => {
    const poor = client({ apId: 'lobby', rateMbps: 20, meanMbps: 2 })
    const members = membersOf([poor, client({ apId: 'lobby', meanMbps: 5 })], cells)
    expect(members.get('lobby')?.map(({ mbps }) => mbps)).toEqual([5, 5])
  })

  it('hear access points of the world, and always their own', () => {
    const heard = (more: Partial<MeasuredClient>) => membersOf([client(more)], cells).get('hall')?.[0]?.heard
    expect(heard({ heard: { lobby: -70, unknown: -50 } })).toEqual([
      [0, -60],
      [1, -70],
    ])
    expect(heard({ heard: { hall: -58.5, lobby: -70 } })).toEqual([
      [0, -58.5],
      [1, -70],
    ])
  })

  it('have the signal of their technology: dBm, or the SNR of light', () => {
    const lamp = new Map([['lamp', { index: 0, technology: 'LiFi', isFull: false }]])
    const light = client({ apId: 'lamp', signalDbm: -40, snrDb: 21, heard: {} })
    expect(membersOf([light], lamp).get('lamp')?.[0]?.heard).toEqual([[0, 21]])
    expect(membersOf([client({ signalDbm: null, snrDb: 30, heard: {} })], cells).size).toBe(0)
  })

  it('of access points that are not in the world are left out', () => {
    expect(membersOf([client({ apId: 'elsewhere' })], cells).size).toBe(0)
  })
})
