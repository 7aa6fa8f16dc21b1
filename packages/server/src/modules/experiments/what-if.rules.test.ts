import { describe, expect, it } from 'vitest'
import { checkPlaces, type KnownAgent, placesOf, wrongWhatIf } from './what-if.rules.ts'

const agent = (more: Partial<KnownAgent> = {}): KnownAgent => ({
  apId: 'wifi-1',
  technology: 'WiFi',
  state: 'online',
  latitude: 51,
  longitude: -2,
  metrics: { clients: 4, throughput_mbps: 10 },
  ...more,
})

describe('a what-if', () => {
  it('is of access points in service with a position', () => {
    const others = [{ state: 'offline' }, { latitude: null }, { longitude: null }, { technology: 'other' }]
    expect(placesOf([agent(), ...others.map(agent)])).toEqual([
      {
        ap_id: 'wifi-1',
        technology: 'WiFi',
        latitude: 51,
        longitude: -2,
        clients: 4,
        mbps_per_client: 2.5,
      },
    ])
  })

  it('takes an access point that sends no clients as one without clients', () => {
    const metrics = { clients: null, throughput_mbps: 3 }
    expect(placesOf([agent({ metrics })])).toMatchObject([{ clients: 0, mbps_per_client: null }])
  })

  it('needs access points, not too many clients, and the one of the command', () => {
    const places = placesOf([agent()])
    expect(checkPlaces(places, {})).toBe(4)
    expect(() => checkPlaces([], {})).toThrow('No access point')
    expect(() => checkPlaces(places, { command: { ap_id: 'x', command: 'sleep' } })).toThrow('x not found')
    const crowded = placesOf([agent({ metrics: { clients: 2001, throughput_mbps: 1 } })])
    expect(() => checkPlaces(crowded, {})).toThrow('at most 2000')
  })

  it('asks about one thing, which is not the baseline', () => {
    const agents = ['wifi-1']
    expect(wrongWhatIf({ agents, policy: 'dawn' })).toEqual([])
    expect(wrongWhatIf({ agents })).toMatchObject([{ loc: ['body'] }])
    expect(wrongWhatIf({ policy: 'dawn' })).toMatchObject([{ loc: ['body'] }])
    expect(wrongWhatIf({ agents, policy: 'none' })).toMatchObject([{ loc: ['body', 'policy'] }])
  })
})
