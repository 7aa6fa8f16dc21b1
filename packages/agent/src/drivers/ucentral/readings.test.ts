import { describe, expect, it } from 'vitest'
import { StateReader } from './readings.ts'
import { dbm, parseState, type State } from './state.ts'

const station = '02:00:00:00:aa:01'
const dateMs = Date.parse('2026-01-01T00:00:00Z')

interface Values {
  tx?: number
  rx?: number
  connected?: number
  uptime?: number
  stationTx?: number
  packets?: number
  failed?: number
  radios?: object[]
  hasCounters?: boolean
}

function stateOf({
  tx = 0,
  rx = 0,
  connected = 60,
  uptime = 100,
  stationTx = 0,
  packets = 0,
  failed = 0,
  radios = [{ frequency: [2437], channel: 6, active_ms: 1000, busy_ms: 100, noise: 4_294_967_201 }],
  hasCounters = true,
}: Values): State {
  const association = {
    station: station.toUpperCase(),
    rssi: -60,
    connected,
    tx_bytes: stationTx,
    rx_bytes: 0,
    tx_packets: packets,
    tx_failed: failed,
  }
  const ssid = {
    bssid: '02:00:00:00:00:01',
    ssid: 'office',
    mode: 'ap',
    radio: { $ref: '#/radios/0' },
    associations: [association],
    ...(hasCounters && { counters: { tx_bytes: tx, rx_bytes: rx } }),
  }
  const mesh = { ...ssid, bssid: '02:00:00:00:00:02', mode: 'mesh' }
  const state = parseState({ unit: { uptime }, radios, interfaces: [{ ssids: [ssid, mesh] }] })
  if (!state) throw new Error('no state')
  return state
}

/** The readings of the second of two states, 10 s apart. */
function second(before: Values, after: Values) {
  const reader = new StateReader()
  reader.read(stateOf(before), 0, dateMs)
  return reader.read(stateOf(after), 10_000, dateMs + 10_000)
}

describe('readings of states', () => {
  it('have the throughput of the interfaces, also over a wrap of 32 bits', () => {
    expect(second({ tx: 0, rx: 0 }, { tx: 12_500_000, rx: 2_500_000 }).readings).toMatchObject({
      throughput_down_mbps: 10,
      throughput_up_mbps: 2,
      throughput_mbps: 12,
    })
    expect(second({ tx: 2 ** 32 - 500_000 }, { tx: 750_000 }).readings).toMatchObject({
      throughput_down_mbps: 1,
    })
    expect(second({ tx: 9e9 }, { tx: 9e9 + 1_250_000 }).readings).toMatchObject({ throughput_down_mbps: 1 })
  })

  it('have no throughput after a restart of the access point', () => {
    const { readings } = second({ tx: 5e9, uptime: 9000 }, { tx: 1000, uptime: 20 })
    expect(readings).not.toHaveProperty('throughput_mbps')
    expect(readings).toMatchObject({ clients: 1, uptime_s: 20 })
  })

  it('have the throughput of the stations where interfaces are not counted', () => {
    const before = { stationTx: 1000, hasCounters: false }
    expect(second(before, { ...before, stationTx: 1_251_000, connected: 70 }).readings).toMatchObject({
      throughput_down_mbps: 1,
    })
    // A new association counts from 0.
    expect(
      second({ ...before, stationTx: 9e9 }, { ...before, stationTx: 1_250_000, connected: 5 }),
    ).toMatchObject({
      readings: { throughput_down_mbps: 1 },
      clients: [{ client: station, throughput_mbps: 1 }],
    })
  })

  it('have loss if there were packets enough to tell', () => {
    expect(second({}, { packets: 1000, failed: 25 }).readings).toMatchObject({ packet_loss_pct: 2.5 })
    expect(second({}, { packets: 10, failed: 5 }).readings).not.toHaveProperty('packet_loss_pct')
  })

  it('have the load of the channel, of older and newer firmware, and the mean over radios', () => {
    const older = (busy: number, active: number) => ({ frequency: [2437], active_ms: active, busy_ms: busy })
    const newer = (busy: number, time: number) => ({
      frequency: [5180, 5210],
      band: ['5G'],
      survey: [
        { frequency: 5210, time: 1, busy: 1 },
        { frequency: 5180, time, busy, noise: -90 },
      ],
    })
    const radios = (busy: number, time: number) => [older(busy / 2, time), newer(busy, time)]
    const { readings } = second({ radios: radios(100, 1000) }, { radios: radios(700, 2000) })
    expect(readings).toMatchObject({
      load_pct: 45,
      radio0_load_pct: 30,
      radio1_load_pct: 60,
      radio1_band: '5G',
      radio1_noise_dbm: -90,
      radio0_clients: 1,
      radio1_clients: 0,
    })
    expect(readings).not.toHaveProperty('channel')
  })

  it('have signal and noise, also where firmware sends unsigned numbers', () => {
    expect(second({}, {}).readings).toMatchObject({ noise_dbm: -95, rssi_dbm: -60, snr_db: 35, clients: 1 })
    expect([-95, 161, 4_294_967_201, 0, -200, 'x'].map(dbm)).toEqual([
      -95,
      -95,
      -95,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('leave out what is not known', () => {
    const reader = new StateReader()
    const state = parseState({
      radios: [null, {}],
      interfaces: [null, { ssids: [null, {}, { associations: [{}] }] }],
    })
    expect(reader.read(state as State, 0, dateMs)).toEqual({ readings: { clients: 0 }, clients: [] })
    for (const other of [undefined, null, 7, 'x', [], {}]) expect(parseState(other)).toBeUndefined()
  })
})
