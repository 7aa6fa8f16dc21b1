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

  it('has the known clients of an access point, its channel and power, and whether it is off', () => {
    const radio = { channel: 36, tx_power_dbm: 17, uptime_s: 60 }
    const known = {
      apId: 'wifi-1',
      signalDbm: -60,
      snrDb: null,
      rateMbps: 400,
      throughputMbps: 2,
      meanMbps: 2,
      heard: { 'wifi-1': -60 },
    }
    const off = agent({ apId: 'wifi-2', metrics: { clients: 0, throughput_mbps: 0 }, radio: { uptime_s: 0 } })
    expect(placesOf([agent({ radio }), off], [known])).toMatchObject([
      {
        channel: 36,
        tx_power_dbm: 17,
        clients: 4,
        members: [{ mbps: 2, heard: [[0, -60]] }],
      },
      { clients: 0, is_off: true },
    ])
    expect(placesOf([agent({ radio })])[0]).not.toHaveProperty('is_off')
    // A sample may be older than the report of its clients.
    const idle = agent({ metrics: { clients: 0, throughput_mbps: 0 } })
    expect(placesOf([idle], [known])[0]).toMatchObject({ clients: 1 })
  })

  it('takes an access point that sends no clients as one without clients', () => {
    const metrics = { clients: null, throughput_mbps: 3 }
    expect(placesOf([agent({ metrics })])).toMatchObject([{ clients: 0, mbps_per_client: null }])
  })

  it('needs access points, not too many clients, and the one of the command', () => {
    const places = placesOf([agent()])
    const horizonS = 1800
    expect(checkPlaces(places, { horizonS })).toBe(4)
    expect(() => checkPlaces([], { horizonS })).toThrow('No access point')
    const command = { ap_id: 'x', command: 'sleep' }
    expect(() => checkPlaces(places, { command, horizonS })).toThrow('x, which the command is for')
    const crowded = placesOf([agent({ metrics: { clients: 2001, throughput_mbps: 1 } })])
    expect(() => checkPlaces(crowded, { horizonS })).toThrow('at most 2000')
  })

  it('is not longer than a run may be with so many clients', () => {
    const busy = placesOf([agent({ metrics: { clients: 2000, throughput_mbps: 1 } })])
    expect(checkPlaces(busy, { horizonS: 5000 })).toBe(2000)
    expect(() => checkPlaces(busy, { horizonS: 5001 })).toThrow('at most 5000 s can be simulated')
  })

  it('steers some clients of an access point, and no single one, whose place is not known', () => {
    const asked = (text: string) =>
      wrongWhatIf({ agents: ['wifi-1'], command: { ap_id: 'wifi-1', command: text } })
    for (const text of ['sleep', 'steer_client wifi-2', 'steer_client wifi-2 3'])
      expect(asked(text)).toEqual([])
    expect(asked('steer_client c0ffee wifi-2')).toMatchObject([{ loc: ['body', 'command'] }])
  })

  it('asks about one thing, which is not the baseline', () => {
    const agents = ['wifi-1']
    expect(wrongWhatIf({ agents, policy: 'dawn' })).toEqual([])
    expect(wrongWhatIf({ agents })).toMatchObject([{ loc: ['body'] }])
    expect(wrongWhatIf({ policy: 'dawn' })).toMatchObject([{ loc: ['body'] }])
    expect(wrongWhatIf({ agents, policy: 'none' })).toMatchObject([{ loc: ['body', 'policy'] }])
  })
})
