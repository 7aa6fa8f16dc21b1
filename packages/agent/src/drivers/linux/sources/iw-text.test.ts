import { describe, expect, it } from 'vitest'
import { parseDev, parseStations, parseSurvey } from './iw-text.ts'
import { attachedClients, radioReadings } from './wifi.ts'

const dev = `phy#1
	Interface wlan1
		ifindex 6
		wdev 0x100000001
		addr 6c:3b:6b:11:22:34
		ssid office 2.4
		type AP
		channel 6 (2437 MHz), width: 20 MHz, center1: 2437 MHz
		txpower 17.00 dBm
phy#0
	Unnamed/non-netdev interface
		wdev 0x2
		addr 6c:3b:6b:11:22:35
		type P2P-device
		txpower 0.00 dBm
	Interface wlan0
		ifindex 5
		wdev 0x1
		addr 6c:3b:6b:11:22:33
		ssid office
		type AP
		channel 36 (5180 MHz), width: 80 MHz, center1: 5210 MHz
		txpower 20.50 dBm
		multicast TXQ:
			qsz-byt	qsz-pkt	flows	drops	marks	overlmt	hashcol	tx-bytes	tx-packets
			0	0	0	0	0	0	0	0		0
`

const stations = `Station 8c:85:90:aa:bb:cc (on wlan0)
	inactive time:	20 ms
	rx bytes:	6154842
	rx packets:	48129
	tx bytes:	71025430
	tx packets:	56120
	tx retries:	312
	tx failed:	2
	rx drop misc:	11
	signal:  	-52 [-55, -54] dBm
	signal avg:	-53 [-56, -55] dBm
	tx bitrate:	433.3 MBit/s VHT-MCS 9 80MHz short GI VHT-NSS 1
	tx duration:	5678901 us
	rx bitrate:	390.0 MBit/s VHT-MCS 9 80MHz VHT-NSS 1
	rx duration:	1234567 us
	expected throughput:	157.0Mbps
	authorized:	yes
	authenticated:	yes
	associated:	yes
	preamble:	short
	WMM/WME:	yes
	MFP:		no
	TDLS peer:	no
	DTIM period:	2
	beacon interval:100
	short slot time:yes
	connected time:	1845 seconds
Station 3c:22:fb:01:02:03 (on wlan0)
	inactive time:	1200 ms
	rx bytes:	90210
	rx packets:	801
	tx bytes:	120045
	tx packets:	640
	signal:  	-70 dBm
	tx bitrate:	6.0 MBit/s
	rx bitrate:	(unknown)
	authorized:	yes
	connected time:	12 seconds
`

const survey = `Survey data from wlan0
	frequency:			5180 MHz [in use]
	noise:				-95 dBm
	channel active time:		200000 ms
	channel busy time:		50000 ms
	channel receive time:		31000 ms
	channel transmit time:		9000 ms
Survey data from wlan0
	frequency:			5200 MHz
	noise:				-96 dBm
	channel active time:		150 ms
	channel busy time:		3 ms
`

describe('the output of iw', () => {
  it('gives interfaces with their configuration', () => {
    expect(parseDev(dev)).toEqual([
      {
        name: 'wlan1',
        type: 'AP',
        ssid: 'office 2.4',
        channel: 6,
        frequencyMhz: 2437,
        widthMhz: 20,
        txPowerDbm: 17,
      },
      {
        name: 'wlan0',
        type: 'AP',
        ssid: 'office',
        channel: 36,
        frequencyMhz: 5180,
        widthMhz: 80,
        txPowerDbm: 20.5,
      },
    ])
    expect(parseDev('')).toEqual([])
  })

  it('gives undefined for values that an interface does not report while it is down', () => {
    expect(
      parseDev('phy#0\n\tInterface wlan0\n\t\tifindex 3\n\t\taddr dc:a6:32:00:00:01\n\t\ttype managed\n'),
    ).toEqual([
      {
        name: 'wlan0',
        type: 'managed',
        ssid: undefined,
        channel: undefined,
        frequencyMhz: undefined,
        widthMhz: undefined,
        txPowerDbm: undefined,
      },
    ])
  })

  it('gives stations, with their average signal if there is one', () => {
    expect(parseStations(stations)).toEqual([
      { address: '8c:85:90:aa:bb:cc', connectedS: 1845, signalDbm: -53, txRateMbps: 433.3, rxRateMbps: 390 },
      { address: '3c:22:fb:01:02:03', connectedS: 12, signalDbm: -70, txRateMbps: 6, rxRateMbps: undefined },
    ])
    expect(parseStations('')).toEqual([])
  })

  it('gives the survey of the channel in use, or none', () => {
    expect(parseSurvey(survey)).toEqual({ noiseDbm: -95, activeMs: 200_000, busyMs: 50_000 })
    expect(parseSurvey('Survey data from wlan0\n\tfrequency:\t\t\t5200 MHz\n')).toBeUndefined()
  })
})

describe('readings of radios', () => {
  const [wlan1, wlan0] = parseDev(dev)
  if (!wlan0 || !wlan1) throw new Error('both are in the text')

  it('have no prefix with one radio', () => {
    expect(
      radioReadings([
        {
          wifi: wlan0,
          stations: parseStations(stations),
          survey: parseSurvey(survey),
          surveyBefore: undefined,
        },
      ]),
    ).toEqual({
      clients: 2,
      rssi_dbm: -61.5,
      load_pct: 25,
      channel: 36,
      frequency_mhz: 5180,
      channel_width_mhz: 80,
      tx_power_dbm: 20.5,
      phy_rate_mbps: 219.7,
      noise_dbm: -95,
      channel_utilisation_pct: 25,
      ssid: 'office',
    })
  })

  it('have the interface as a prefix with several radios, and the utilisation since the previous reading', () => {
    const busier = { noiseDbm: -94, activeMs: 210_000, busyMs: 59_000 }
    const readings = radioReadings([
      {
        wifi: wlan0,
        stations: parseStations(stations),
        survey: busier,
        surveyBefore: parseSurvey(survey),
      },
      { wifi: wlan1, stations: [], survey: undefined, surveyBefore: undefined },
    ])
    expect(readings).toMatchObject({
      clients: 2,
      wlan0_clients: 2,
      wlan1_clients: 0,
      wlan0_channel: 36,
      wlan1_channel: 6,
      wlan0_channel_utilisation_pct: 90,
      load_pct: 90,
    })
    expect(readings).not.toHaveProperty('wlan1_rssi_dbm')
    expect(readings).not.toHaveProperty('channel')
  })

  it('have no client count for an interface in client mode', () => {
    const wifi = { ...wlan0, type: 'managed' }
    const readings = radioReadings([
      {
        wifi,
        stations: [
          { address: '6c:3b:6b:11:22:33', connectedS: 5, signalDbm: -48, txRateMbps: 866.7, rxRateMbps: 780 },
        ],
        survey: undefined,
        surveyBefore: undefined,
      },
    ])
    expect(readings).toMatchObject({ rssi_dbm: -48 })
    expect(readings).not.toHaveProperty('clients')
    expect(readings).not.toHaveProperty('load_pct')
  })

  it('have the stations of access points as clients, with the start of their association', () => {
    const none = { survey: undefined, surveyBefore: undefined }
    const radio = { wifi: wlan0, stations: parseStations(stations), ...none }
    expect(attachedClients([radio], 2_000_000)).toEqual([
      {
        client: '8c:85:90:aa:bb:cc',
        since: new Date(155_000).toISOString(),
        signal_dbm: -53,
        rate_mbps: 433.3,
      },
      {
        client: '3c:22:fb:01:02:03',
        since: new Date(1_988_000).toISOString(),
        signal_dbm: -70,
        rate_mbps: 6,
      },
    ])
    expect(attachedClients([{ ...radio, wifi: { ...wlan0, type: 'managed' } }], 0)).toBeUndefined()
  })
})
