import { describe, expect, it } from 'vitest'
import {
  isMembershipEvent,
  parseOwnReport,
  parseStationsText,
  parseStatusText,
  parseTransitionEvent,
} from './control-text.ts'
import { neighbourArgument, reportOf } from './neighbour-report.ts'
import { parseClients, parseStatus } from './ubus-link.ts'

const address = '02:00:00:00:02:00'

describe('texts of hostapd_cli', () => {
  it('have the BSS of an interface among several of a process', () => {
    const text = [
      'state=ENABLED',
      'freq=5180',
      'channel=36',
      'bss[0]=wlan0',
      'bssid[0]=02:00:00:00:00:00',
      'ssid[0]=office',
      'bss[1]=wlan0-1',
      'bssid[1]=06:00:00:00:00:AA',
      'ssid[1]=guests = all',
    ].join('\n')
    expect(parseStatusText(text, 'wlan0-1')).toEqual({
      bssid: '06:00:00:00:00:aa',
      ssid: 'guests = all',
      channel: 36,
      frequencyMhz: 5180,
    })
  })

  it('have stations, of which those that are not associated do not count', () => {
    const text = `${address}
flags=[AUTH][ASSOC][AUTHORIZED]
rx_bytes=1000
tx_bytes=2000
signal=-50
tx_rate_info=1444 mcs 15
connected_time=7
ext_capab=04004a0000000040
02:00:00:00:03:00
flags=[AUTH]
signal=-70`
    expect(parseStationsText(text)).toEqual([
      {
        address,
        signalDbm: -50,
        rxBytes: 1000,
        txBytes: 2000,
        rateMbps: 144.4,
        connectedS: 7,
        canTransition: true,
      },
    ])
    expect(parseStationsText('')).toEqual([])
  })

  it('tell whether a station supports BSS transition', () => {
    const bit = (capabilities: string) =>
      parseStationsText(`${address}\next_capab=${capabilities}`)[0]?.canTransition
    expect(bit('04004a00')).toBe(true)
    expect(bit('04004200')).toBe(false)
    expect(bit('0400')).toBe(false)
    expect(parseStationsText(address)[0]?.canTransition).toBeUndefined()
  })

  it('have the neighbour report of the BSS itself', () => {
    const text = `06:00:00:00:00:aa ssid=61 nr=0600\n${address} ssid=6d616e63 nr=020000000200af0900005101 stat`
    expect(parseOwnReport(text, address)).toBe('020000000200af0900005101')
    expect(parseOwnReport('', address)).toBeUndefined()
  })

  it('have events about stations', () => {
    const event = `BSS-TM-RESP ${address} status_code=7 bss_termination_delay=0 target_bssid=02:00:00:00:01:00`
    expect(parseTransitionEvent(event, address)).toEqual({ status: 7, target: '02:00:00:00:01:00' })
    expect(parseTransitionEvent(event, '02:00:00:00:03:00')).toBeUndefined()
    expect(parseTransitionEvent(`AP-STA-CONNECTED ${address}`, address)).toBeUndefined()
    expect(isMembershipEvent(`EAPOL-4WAY-HS-COMPLETED ${address}`)).toBe(true)
    expect(isMembershipEvent(event)).toBe(false)
  })
})

describe('neighbour reports', () => {
  it('are given to hostapd_cli with the highest preference', () => {
    expect(neighbourArgument('020000000100af09000051 0b07'.replace(' ', ''))).toBe(
      '02:00:00:00:01:00,0x000009af,81,11,7,0301ff',
    )
    expect(neighbourArgument('b6a7b9cbeebcaf5900008095090603029b00')).toBe(
      'b6:a7:b9:cb:ee:bc,0x000059af,128,149,9,0603029b000301ff',
    )
  })

  it('are made from the channel where hostapd has none', () => {
    const report = (channel: number, frequencyMhz: number) =>
      reportOf({ bssid: address, channel, frequencyMhz })
    expect(report(11, 2462)).toBe('0200000002008f000000510b07')
    expect(report(36, 5180)).toBe('0200000002008f000000732409')
    expect(report(5, 5975)).toBeUndefined()
    expect(reportOf({ bssid: address })).toBeUndefined()
  })
})

describe('answers of ubus', () => {
  it('have utilisation as an octet, and counters of the channel', () => {
    const airtime = { time: 259_561_738, time_busy: 2_844_249, utilization: 51 }
    expect(parseStatus({ bssid: 'B6:A7:B9:CB:EE:BC', ssid: 'fb', freq: 5260, channel: 52, airtime })).toEqual(
      {
        bssid: 'b6:a7:b9:cb:ee:bc',
        ssid: 'fb',
        channel: 52,
        frequencyMhz: 5260,
        utilisation: 0.2,
        airtime: { activeMs: 259_561_738, busyMs: 2_844_249 },
      },
    )
    expect(parseStatus({})).toEqual({
      bssid: '',
      ssid: undefined,
      channel: undefined,
      frequencyMhz: undefined,
    })
  })

  it('have clients with rates in kbit/s', () => {
    const clients = {
      '68:2F:67:8B:98:ED': {
        assoc: true,
        authorized: true,
        extended_capabilities: [0, 0, 0, 0, 0, 0, 0, 64],
        bytes: { rx: 1_933_667, tx: 746_805 },
        rate: { rx: 866_700, tx: 866_700 },
        signal: -50,
      },
      '68:2f:67:8b:98:ee': { assoc: false },
      'not a station': {},
      // What no device should send.
      '68:2f:67:8b:98:ef': null,
    }
    expect(parseClients({ clients })).toEqual([
      {
        address: '68:2f:67:8b:98:ed',
        signalDbm: -50,
        rxBytes: 1_933_667,
        txBytes: 746_805,
        rateMbps: 866.7,
        connectedS: undefined,
        canTransition: false,
      },
    ])
    expect(parseClients({})).toEqual([])
  })
})
