import { describe, expect, it } from 'vitest'
import { modemReadings, parseList } from './modem.ts'

/** `mmcli -J -m 0`, shortened to a few of its members. */
const modem = JSON.stringify({
  modem: {
    '3gpp': {
      imei: '867698040000000',
      'operator-code': '23415',
      'operator-name': 'Example',
      'registration-state': 'home',
    },
    'dbus-path': '/org/freedesktop/ModemManager1/Modem/0',
    generic: {
      'access-technologies': ['lte', '5gnr'],
      'current-modes': 'allowed: 4g, 5g; preferred: 5g',
      manufacturer: 'Quectel',
      model: 'RM520N-GL',
      'power-state': 'on',
      'signal-quality': { recent: 'yes', value: '71' },
      state: 'connected',
    },
  },
})

const empty = { 'error-rate': '--', rsrp: '--', rsrq: '--', snr: '--' }

/** `mmcli -J -m 0 --signal-get` */
const signal = (more: object) =>
  JSON.stringify({
    modem: {
      signal: {
        '5g': empty,
        cdma1x: { ecio: '--', 'error-rate': '--', rssi: '--' },
        evdo: { ecio: '--', 'error-rate': '--', io: '--', rssi: '--', sinr: '--' },
        gsm: { 'error-rate': '--', rssi: '--' },
        lte: { 'error-rate': '--', rsrp: '-95.00', rsrq: '-11.00', rssi: '-65.00', snr: '12.40' },
        refresh: { rate: '10' },
        threshold: { 'error-rate': 'no', rssi: '0' },
        umts: { ecio: '--', 'error-rate': '--', rscp: '--', rssi: '--' },
        ...more,
      },
    },
  })

describe('the output of mmcli', () => {
  it('gives the modems', () => {
    expect(parseList('{"modem-list":["/org/freedesktop/ModemManager1/Modem/0"]}')).toEqual([
      '/org/freedesktop/ModemManager1/Modem/0',
    ])
    expect(parseList('{"modem-list":[]}')).toEqual([])
    expect(parseList('error: couldn’t find the ModemManager process in the bus')).toEqual([])
  })

  it('gives the signal', () => {
    expect(modemReadings(modem, signal({}))).toEqual({
      rsrp_dbm: -95,
      rsrq_db: -11,
      snr_db: 12.4,
      modem_rssi_dbm: -65,
      signal_quality_pct: 71,
      access_technology: 'lte, 5gnr',
      modem_state: 'connected',
    })
  })

  it('gives the 5G signal if there is one', () => {
    const nr = { '5g': { 'error-rate': '--', rsrp: '-88.00', rsrq: '-10.00', snr: '21.50' } }
    expect(modemReadings(modem, signal(nr))).toMatchObject({ rsrp_dbm: -88, rsrq_db: -10, snr_db: 21.5 })
  })

  it('gives no reading for values that the modem does not report', () => {
    expect(modemReadings('', '')).toEqual({})
    expect(modemReadings(modem, signal({ lte: empty }))).toEqual({
      signal_quality_pct: 71,
      access_technology: 'lte, 5gnr',
      modem_state: 'connected',
    })
  })
})
