import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InvalidSettings } from './invalid-settings.ts'
import { checkSettings, readSettings } from './settings.ts'

const wrong = (value: unknown): string[] => {
  try {
    checkSettings(value)
  } catch (error) {
    if (error instanceof InvalidSettings) return error.message.split('\n')
    throw error
  }
  return []
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'manc-settings-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const machine = {
  apId: undefined,
  password: undefined,
  enrolmentToken: undefined,
  stateFolder: '/var/lib/manc-agent',
  intervalS: 10,
  timeoutS: 10,
  keepMib: 16,
  configuration: {},
  commands: {},
  device: { driver: 'linux' },
}

describe('settings', () => {
  it('require only the address of the controller: the access point is this machine', () => {
    expect(checkSettings({ url: 'https://manc.example.org' })).toEqual({
      url: 'https://manc.example.org',
      mqttUrl: undefined,
      tlsFiles: { ca: undefined, cert: undefined, key: undefined },
      concurrency: 64,
      accessPoints: [machine],
      files: [],
    })
  })

  it('have sources and plug-ins of this machine beside the device, as in earlier versions', () => {
    const { accessPoints } = checkSettings({ url: 'http://x', sources: ['cpu'], plugins: ['/p'] })
    expect(accessPoints[0]?.device).toEqual({ driver: 'linux', sources: ['cpu'], plugins: ['/p'] })
  })

  it('that are invalid give an error for every invalid member, with what to write', () => {
    const lines = wrong({
      url: 'manc',
      mqtt_url: 'http://x',
      ap_id: 'a/b',
      interval_s: 0,
      enrolment_token: 7,
      sources: 'cpu',
      interval: 5,
      commands: {
        report: { run: ['/bin/true'] },
        reboot: { run: ['reboot'] },
        led: { arguments: ['('], timeout_s: 0, shell: true },
      },
    })
    for (const start of [
      'url is invalid. Write the address of the controller',
      'mqtt_url is invalid. Write the address of the broker',
      'ap_id is invalid. Write letters',
      'interval_s is invalid. Write seconds',
      'enrolment_token is invalid. Write the token',
      'sources is invalid. Write a list',
      'interval is unknown. Known members: url,',
      'commands.report is not a valid name',
      'commands.reboot.run is invalid. Write the absolute path of the program',
      'commands.led.run is missing',
      'commands.led.arguments is invalid. Write a pattern',
      'commands.led.timeout_s is invalid. Write seconds',
      'commands.led.shell is unknown',
    ])
      expect(lines).toContainEqual(expect.stringContaining(start))
    expect(lines).toHaveLength(13)
  })

  it('are one object with an address, and a password requires an ap_id', () => {
    expect(wrong([])).toEqual([expect.stringContaining('one JSON object')])
    expect(wrong({})).toEqual([expect.stringContaining('url is missing')])
    expect(wrong({ url: 'http://x', password: 'p' })).toEqual([expect.stringContaining('ap_id is missing')])
  })

  it('that are invalid give errors without the values, which may be secrets', () => {
    const secrets = {
      password: ['hunter2'],
      enrolment_token: { t: 'hunter2' },
      device: { driver: 'snmp', address: 7, community: ['hunter2'] },
    }
    expect(wrong({ url: 'http://x', ...secrets }).join()).not.toContain('hunter2')
  })

  it('refuse user names and passwords in addresses, which would be logged', () => {
    const inAddress = 'name:hunter2@192.0.2.1'
    const lines = [
      ...wrong({ url: `https://${inAddress}`, mqtt_url: `mqtts://${inAddress}:8883` }),
      ...[
        { driver: 'prometheus', urls: ['http://192.0.2.1', `http://${inAddress}/metrics`], map: 'open5gs' },
        {
          driver: 'hostapd',
          ubus: `http://${inAddress}/ubus`,
          username: 'n',
          password: 'p',
          interface: 'wlan0',
        },
        { driver: 'srsran', socket: `ws://${inAddress}:8001` },
        { driver: 'amarisoft', socket: `ws://${inAddress}:9001` },
      ].flatMap((device) => wrong({ url: 'http://x', device })),
    ]
    expect(lines.map((line) => line.split(' contains a user name or a password. ')[0])).toEqual([
      'url',
      'mqtt_url',
      'device.urls[1]',
      'device.ubus',
      'device.socket',
      'device.socket',
    ])
    expect(lines.join()).not.toContain('hunter2')
  })

  it('that are missing give an error with the --settings option', () => {
    expect(() => readSettings('/nowhere/settings.json')).toThrow(
      'Write one, or name another: --settings FILE',
    )
  })
})

describe('settings of several access points', () => {
  const snmp = { driver: 'snmp', community: 'public', interface: 'wlan0' }

  it('have defaults beside the list, which entries complete and replace', () => {
    const { accessPoints } = checkSettings({
      url: 'http://x',
      state_folder: '/state',
      enrolment_token: 'enrol_1',
      interval_s: 30,
      configuration: { technology: 'WiFi', place: 'Bristol' },
      device: snmp,
      access_points: [
        { ap_id: 'wifi-1', device: { address: '192.0.2.1' } },
        {
          ap_id: 'cell-1',
          interval_s: 5,
          configuration: { technology: '5G' },
          device: { address: '192.0.2.2', interface: 'eth0' },
        },
        { ap_id: 'lamp-1', device: { driver: 'shell', run: ['/bin/true'] } },
      ],
    })
    expect(accessPoints[0]).toMatchObject({
      apId: 'wifi-1',
      enrolmentToken: 'enrol_1',
      stateFolder: '/state/wifi-1',
      intervalS: 30,
      configuration: { technology: 'WiFi', place: 'Bristol' },
      device: { driver: 'snmp', address: '192.0.2.1', community: 'public', map: { metrics: {} } },
    })
    expect(accessPoints[1]).toMatchObject({
      apId: 'cell-1',
      intervalS: 5,
      configuration: { technology: '5G', place: 'Bristol' },
      device: { address: '192.0.2.2', interface: 'eth0', community: 'public' },
    })
    // Of another driver, the options beside the list are none.
    expect(accessPoints[2]?.device).toEqual({ driver: 'shell', run: ['/bin/true'] })
  })

  it('take the technology from the driver or its map, unless the configuration names one', () => {
    const technologies = [
      { driver: 'hostapd', interface: 'wlan0', cli: ['/bin/true'] },
      { driver: 'prometheus', urls: ['http://x/metrics'], map: 'open5gs' },
      { driver: 'shell', run: ['/bin/true'] },
    ].map((device) => checkSettings({ url: 'http://x', device }).accessPoints[0]?.configuration)
    expect(technologies).toEqual([{ technology: 'WiFi' }, { technology: '5G' }, {}])
    const device = { driver: 'hostapd', interface: 'wlan0', cli: ['/bin/true'] }
    const own = checkSettings({ url: 'http://x', device, configuration: { technology: 'LiFi' } })
    expect(own.accessPoints[0]?.configuration).toEqual({ technology: 'LiFi' })
  })

  it('that are invalid name the path of the member', () => {
    const lines = wrong({
      url: 'http://x',
      ap_id: 'wifi-1',
      access_points: [
        { device: { driver: 'snmp' } },
        { ap_id: 'wifi-2', device: { driver: 'telnet' } },
        { ap_id: 'wifi-3', device: { driver: 'snmp', address: '192.0.2.3', port: 0, comunity: 'public' } },
        { ap_id: 'wifi-4', device: { driver: 'snmp', address: '192.0.2.4' } },
        { ap_id: 'wifi-5', intervall_s: 3 },
        { ap_id: 'wifi-6', device: { driver: 'shell', run: ['read-ap'] } },
        { ap_id: 'wifi-7' },
        { ap_id: 'wifi-8' },
        { ap_id: 'wifi-8', device: { driver: 'prometheus', urls: ['http://x'], map: 'nothing' } },
        7,
      ],
    })
    for (const start of [
      'ap_id belongs to one access point',
      'access_points[0].ap_id is missing. Write letters',
      'access_points[1].device.driver is invalid. Write one of: linux, prometheus, snmp, hostapd, ucentral, srsran, amarisoft, shell',
      'access_points[2].device.port is invalid. Write its UDP port',
      'access_points[2].device.comunity is unknown. Known members: driver, address',
      'access_points[3].device.community is missing',
      'access_points[3].device.interface is missing. Write the name of an interface',
      'access_points[4].intervall_s is unknown',
      'access_points[5].device.run is invalid. Write the absolute path',
      'access_points[8].device.map is invalid. Write one of node-exporter, open5gs, openwrt, or the path',
      'access_points[9] is invalid. Write an object',
    ])
      expect(lines).toContainEqual(expect.stringContaining(start))
  })

  it('cannot have two with the same ap_id, or two that are this machine', () => {
    const shell = { driver: 'shell', run: ['/bin/true'] }
    expect(
      wrong({
        url: 'http://x',
        access_points: [
          { ap_id: 'a', device: shell },
          { ap_id: 'a', device: shell },
        ],
      }),
    ).toEqual([expect.stringContaining('access_points[1].ap_id is the same as that of access_points[0]')])
    expect(wrong({ url: 'http://x', access_points: [{ ap_id: 'a' }, { ap_id: 'b' }] })).toEqual([
      expect.stringContaining('Only one access point can be this machine'),
    ])
  })

  it('read maps from files, and name what is wrong in them', () => {
    const file = path.join(folder, 'map.json')
    const device = { driver: 'prometheus', urls: ['http://x/metrics'], map: file }
    const map = { metrics: { load_pct: { from: 'cell_load', labels: { cell: '1' } } } }
    writeFileSync(file, JSON.stringify(map))
    const settings = checkSettings({ url: 'http://x', device })
    expect(settings.files).toEqual([file])
    expect(settings.accessPoints[0]?.device).toEqual({ ...device, map })
    writeFileSync(
      file,
      JSON.stringify({
        metrics: {
          load_pct: { from: 'cell load' },
          clients: { combine: 'median' },
          'a b': { from: 'x' },
          rssi_dbm: { from: 'x', labels: { cell: '(' } },
        },
        metric: {},
      }),
    )
    const lines = wrong({ url: 'http://x', device })
    for (const part of [
      `${file}: metrics.load_pct.from is invalid. Write the name of a metric of the exporter`,
      `${file}: metrics.clients.combine is invalid. Write how several values become one`,
      `${file}: metric is unknown. Known members:`,
    ])
      expect(lines).toContainEqual(expect.stringContaining(part))
    writeFileSync(
      file,
      JSON.stringify({
        metrics: {
          clients: { factor: 2 },
          'a b': { from: 'x' },
          rssi_dbm: { from: 'x', labels: { cell: '(' } },
        },
      }),
    )
    expect(wrong({ url: 'http://x', device })).toEqual([
      expect.stringContaining(
        'metrics.clients is invalid. Write exactly one of: from, ratio, difference, sum',
      ),
      expect.stringContaining('"a b" is no name of a metric'),
      expect.stringContaining('the pattern of the label cell is invalid'),
    ])
    rmSync(file)
    expect(wrong({ url: 'http://x', device })).toEqual([expect.stringContaining('cannot be read: ENOENT')])
  })

  it('of SNMP have a community or a user, and privacy only with authentication', () => {
    const device = { driver: 'snmp', address: '192.0.2.1', interface: 'wlan0' }
    expect(wrong({ url: 'http://x', device: { ...device, community: 'c', user: 'u' } })).toEqual([
      expect.stringContaining('device.community is for SNMP v2c'),
    ])
    expect(
      wrong({ url: 'http://x', device: { ...device, user: 'u', priv_password: 'long enough' } }),
    ).toEqual([expect.stringContaining('device.auth_password is missing')])
  })

  it('of hostapd have ubus with an account, or hostapd_cli', () => {
    const device = { driver: 'hostapd', interface: 'wlan0' }
    expect(wrong({ url: 'http://x', device })).toEqual([expect.stringContaining('Write either ubus')])
    expect(wrong({ url: 'http://x', device: { ...device, ubus: 'http://192.0.2.1/ubus' } })).toEqual([
      expect.stringContaining('device.username and password are missing'),
    ])
    const neighbours = { 'wifi-9': 'not hexadecimal' }
    expect(wrong({ url: 'http://x', device: { ...device, cli: ['/bin/true'], neighbours } })).toEqual([
      expect.stringContaining('device.neighbours.wifi-9 is invalid'),
    ])
  })
})
