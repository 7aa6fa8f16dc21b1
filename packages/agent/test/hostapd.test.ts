import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Driver } from '../src/drivers/driver.ts'
import { Neighbours } from '../src/drivers/neighbours.ts'
import { inTime, openDriver } from './drivers.ts'
import { HostapdControl } from './peers/hostapd-control.ts'
import { account, UbusPeer } from './peers/ubus.ts'
import { station, WifiWorld } from './peers/wifi-world.ts'

const first = '02:00:00:00:02:00'
const second = '02:00:00:00:03:00'
const soon = { timeout: 60_000, interval: 50 }

let world: WifiWorld
let ubus: UbusPeer
let control: HostapdControl
let neighbours: Neighbours
const drivers: Driver[] = []

beforeEach(async () => {
  world = new WifiWorld()
  ubus = await UbusPeer.start(world)
  control = await HostapdControl.start(world)
  neighbours = new Neighbours()
})

afterEach(async () => {
  for (const driver of drivers.splice(0)) await driver.close()
  await Promise.all([ubus.stop(), control.stop()])
})

async function open(name: string, device: object): Promise<Driver> {
  const options = { driver: 'hostapd', interface: name, ...device }
  const driver = await openDriver(options, { apId: `wifi-${name}`, neighbours })
  drivers.push(driver)
  return driver
}

const overUbus = (name: string, more: object = {}) => open(name, { ubus: ubus.url, ...account, ...more })
const cliOf = (name: string) => [
  process.execPath,
  path.join(import.meta.dirname, 'peers/hostapd-cli.ts'),
  name,
  String(control.port),
]
const overControl = (name: string, more: object = {}) => open(name, { cli: cliOf(name), ...more })

/** A process that has ended may wait for its parent: its state is Z. */
function isRunning(pid: string): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe.each([
  ['ubus', overUbus],
  ['hostapd_cli', overControl],
])('the driver hostapd, over %s', (kind, openOne) => {
  it('reads stations, traffic and the channel', async () => {
    const one = station(first, { signal: -50 })
    world.add('ap1', one, station(second, { signal: -60 }))
    const driver = await openOne('ap1')
    const { readings, clients } = await driver.read(inTime())
    expect(readings).toMatchObject({
      clients: 2,
      rssi_dbm: -55,
      channel: 1,
      frequency_mhz: 2412,
      ssid: 'office',
    })
    expect(readings).not.toHaveProperty('throughput_mbps')
    expect(clients).toEqual([
      expect.objectContaining({ client: first, signal_dbm: -50 }),
      expect.objectContaining({ client: second, signal_dbm: -60 }),
    ])
    one.txBytes += 1_000_000
    one.rxBytes += 500_000
    const next = (await driver.read(inTime())).readings
    expect(Number(next['throughput_down_mbps'])).toBeCloseTo(2 * Number(next['throughput_up_mbps']), 1)
    expect(Number(next['throughput_down_mbps'])).toBeGreaterThan(0)
  })

  it('steers a client, which is done when it is associated at the target', async () => {
    world.add('ap1', station(first))
    const [from, to] = [await openOne('ap1'), await openOne('ap2')]
    await from.read(inTime())
    await to.read(inTime())
    const result = await from.execute?.('steer_client', [first, 'wifi-ap2'], inTime())
    expect(result).toMatchObject({ client: first, to: 'wifi-ap2', moved: true, status: 0 })
    expect(result).toHaveProperty('text', expect.stringMatching(/^moved after \d+ ms$/))
    expect([...(world.named('ap2')?.stations.keys() ?? [])]).toEqual([first])
  })

  it('reports what a client answered that does not move', async () => {
    world.add(
      'ap1',
      station(first, { answer: 7 }),
      station(second, { supports11v: false }),
      station('02:00:00:00:04:00', { answer: 1 }),
    )
    const [from, to] = [await openOne('ap1'), await openOne('ap2')]
    await from.read(inTime())
    await to.read(inTime())
    const steer = (client: string) => from.execute?.('steer_client', [client, 'wifi-ap2'], inTime())
    expect(await steer(first)).toMatchObject({
      moved: false,
      status: 7,
      text: 'refused with status 7: The client finds no suitable candidate.',
    })
    expect(await steer('02:00:00:00:04:00')).toMatchObject({ moved: false, status: 1 })
    expect(await steer(second)).toEqual({
      client: second,
      to: 'wifi-ap2',
      moved: false,
      cause: 'The client does not support 802.11v.',
      text: 'not moved: The client does not support 802.11v.',
    })
  })

  it('does not take an agreement for a move', async () => {
    world.add('ap1', station(first, { keepsPromise: false }))
    const [from, to] = [await openOne('ap1'), await openOne('ap2')]
    await from.read(inTime())
    await to.read(inTime())
    expect(await from.execute?.('steer_client', [first, 'wifi-ap2'], inTime())).toMatchObject({
      moved: false,
      status: 0,
      cause: 'The client did not arrive at the target.',
    })
  })

  it('steers to an access point that is not in this gateway by its neighbour report', async () => {
    world.add('ap1', station(first))
    const report = world.named('ap2')?.report
    const from = await openOne('ap1', { neighbours: { elsewhere: report } })
    await from.read(inTime())
    expect(await from.execute?.('steer_client', [first, 'elsewhere'], inTime())).toMatchObject({
      moved: true,
    })
  })

  it('does not ask a client to move to an access point that cannot be reached', async () => {
    world.add('ap1', station(first))
    const from = await openOne('ap1')
    await from.read(inTime())
    const [bss] = world.bsss.slice(1)
    neighbours.set('wifi-gone', {
      bssid: bss?.bssid ?? '',
      report: bss?.report ?? '',
      findStation: async () => {
        throw new Error('cannot be reached')
      },
    })
    expect(await from.execute?.('steer_client', [first, 'wifi-gone'], inTime())).toEqual({
      client: first,
      to: 'wifi-gone',
      moved: false,
      cause: 'The target wifi-gone does not answer.',
      text: 'not moved: The target wifi-gone does not answer.',
    })
    expect([...(world.named('ap1')?.stations.keys() ?? [])]).toEqual([first])
  })

  it('names what is wrong with a command', async () => {
    world.add('ap1', station(first))
    const driver = await openOne('ap1')
    await driver.read(inTime())
    const run = (name: string, ...args: string[]) => driver.execute?.(name, args, inTime())
    await expect(run('steer_client', first, 'wifi-9')).rejects.toThrow(
      'wifi-9 is not known here. Name one of',
    )
    await expect(run('steer_client', first)).rejects.toThrow('Write steer_client <client> <ap_id>.')
    const other = await openOne('ap2')
    await other.read(inTime())
    await expect(run('steer_client', second, 'wifi-ap2')).rejects.toThrow('not attached to this access point')
    await expect(run('set_channel', '36')).rejects.toThrow('set_channel 5180')
    await expect(run('disconnect_client', 'all')).rejects.toThrow('disconnect_client <client>')
  })

  it('switches the channel and disconnects clients', async () => {
    world.add('ap1', station(first))
    const driver = await openOne('ap1')
    expect(await driver.execute?.('set_channel', ['2437'], inTime())).toEqual({
      done: 'set_channel',
      frequency_mhz: 2437,
    })
    expect((await driver.read(inTime())).readings['frequency_mhz']).toBe(2437)
    // Other access points send clients to the new channel.
    expect(neighbours.get('wifi-ap1')?.report).toBe(world.named('ap1')?.report)
    await driver.execute?.('disconnect_client', [first], inTime())
    expect((await driver.read(inTime())).readings['clients']).toBe(0)
  })

  it('lists what there is to choose from', async () => {
    const driver = await openOne('ap1')
    const prefix = kind === 'ubus' ? 'hostapd.' : ''
    expect(await driver.discover?.(inTime())).toEqual(
      expect.arrayContaining([`${prefix}ap1`, `${prefix}ap2`]),
    )
  })
})

describe('the driver hostapd, over ubus', () => {
  it('has load, noise and the quality of the signal', async () => {
    world.add('ap1', station(first, { signal: -60 }))
    const driver = await overUbus('ap1')
    // 102 of 255 at the first reading; then what the counters of the channel say.
    expect((await driver.read(inTime())).readings).toMatchObject({
      load_pct: 40,
      noise_dbm: -95,
      snr_db: 35,
      signal_quality: 0.857,
      tx_power_dbm: 20,
    })
    ubus.activeMs += 1000
    ubus.busyMs += 700
    expect((await driver.read(inTime())).readings['load_pct']).toBe(70)
  })

  it('logs in once, and again when its session has expired', async () => {
    const driver = await overUbus('ap1')
    await driver.read(inTime())
    await driver.read(inTime())
    expect(ubus.logins).toBe(1)
    ubus.expireSessions()
    expect((await driver.read(inTime())).readings['clients']).toBe(0)
    expect(ubus.logins).toBe(2)
  })

  it('does not log in again with each reading if the account may not use iwinfo', async () => {
    ubus.hasIwinfo = false
    const driver = await overUbus('ap1')
    for (let n = 0; n < 4; n++) expect((await driver.read(inTime())).readings).toMatchObject({ channel: 1 })
    expect(ubus.logins).toBe(1)
    ubus.expireSessions()
    ubus.hasIwinfo = true
    await driver.read(inTime())
    // It is asked with the new session at the latest.
    expect((await driver.read(inTime())).readings).toMatchObject({ noise_dbm: -95 })
    expect(ubus.logins).toBe(2)
  })

  it('finds out where a client is if the device has no notifications', async () => {
    ubus.hasEvents = false
    world.add('ap1', station(first))
    const [from, to] = [await overUbus('ap1'), await overUbus('ap2')]
    await from.read(inTime())
    await to.read(inTime())
    const result = await from.execute?.('steer_client', [first, 'wifi-ap2'], inTime())
    expect(result).toMatchObject({ moved: true })
    expect(result).not.toHaveProperty('status')
  })

  it('says what to do about a wrong account, a missing interface and a missing device', async () => {
    const wrong = await overUbus('ap1', { password: 'wrong-secret' })
    await expect(wrong.read(inTime())).rejects.toThrow(
      'refuses the login of manc. Check username and password.',
    )
    const missing = await overUbus('ap9')
    await expect(missing.read(inTime())).rejects.toThrow(
      'The device has no hostapd.ap9 get_status. Check the interface.',
    )
    const gone = await overUbus('ap1', { ubus: 'http://127.0.0.1:1/ubus' })
    await expect(gone.read(inTime())).rejects.toThrow('cannot be reached')
  })

  it('says what to install on a device without 802.11v or without rpcd', async () => {
    ubus.has11v = false
    world.add('ap1', station(first))
    const [from, to] = [await overUbus('ap1'), await overUbus('ap2')]
    await from.read(inTime())
    await to.read(inTime())
    await expect(from.execute?.('steer_client', [first, 'wifi-ap2'], inTime())).rejects.toThrow(
      'does not support hostapd.ap1 bss_transition_request. Install a full hostapd there: wpad-mbedtls',
    )
    ubus.hasSessions = false
    const another = await overUbus('ap1')
    await expect(another.read(inTime())).rejects.toThrow('has no sessions. Install rpcd on the device')
  })
})

describe('the driver hostapd, over hostapd_cli', () => {
  it('ends a command whose target is silent', async () => {
    world.add('ap1', station(first))
    const [from, to] = [await overControl('ap1'), await overControl('ap2')]
    await from.read(inTime())
    await to.read(inTime())
    control.silence('ap2')
    expect(await from.execute?.('steer_client', [first, 'wifi-ap2'], inTime())).toMatchObject({
      moved: false,
      cause: 'The target wifi-ap2 does not answer.',
    })
    expect(control.commands).not.toContainEqual(expect.stringContaining('bss_tm_req'))
  })

  it('reports clients when one joins, without waiting for a reading', async () => {
    const driver = await overControl('ap1')
    const stopping = new AbortController()
    const reported: string[][] = []
    const watching = driver
      .watchClients?.((clients) => reported.push(clients.map(({ client }) => client)), stopping.signal)
      .catch(() => {})
    // The session is open once it has answered.
    await driver.read(inTime())
    world.add('ap1', station(first))
    control.event('ap1', `AP-STA-CONNECTED ${first}`)
    await expect.poll(() => reported.at(-1), soon).toEqual([first])
    stopping.abort()
    await watching
  })

  it('does not take an earlier visit to the target for a move', async () => {
    world.add('ap1', station(first, { keepsPromise: false }))
    world.add('ap2', station(first))
    const [from, to] = [await overControl('ap1'), await overControl('ap2')]
    await from.read(inTime())
    await to.read(inTime())
    expect(await from.execute?.('steer_client', [first, 'wifi-ap2'], inTime())).toMatchObject({
      moved: false,
      status: 0,
      cause: 'The client did not arrive at the target.',
    })
  })

  it('tells the old access point that a client has moved', async () => {
    world.add('ap1', station(first))
    const [from, to] = [await overControl('ap1'), await overControl('ap2')]
    await from.read(inTime())
    await to.read(inTime())
    await from.execute?.('steer_client', [first, 'wifi-ap2'], inTime())
    expect(control.commands).toContain(`ap1 deauthenticate ${first} tx=0`)
    expect(control.commands).toContainEqual(
      `ap1 bss_tm_req ${first} pref=1 abridged=1 valid_int=255 neighbor=02:00:00:00:01:00,0x000009af,81,11,7,0301ff`,
    )
  })

  it('starts hostapd_cli again when it has ended', async () => {
    const driver = await overControl('ap1')
    await driver.read(inTime())
    control.dropSessions()
    await expect
      .poll(
        () =>
          driver.read(inTime()).then(
            () => true,
            () => false,
          ),
        soon,
      )
      .toBe(true)
  })

  it('says what to do about a program that cannot be started, or ends', async () => {
    const driver = await overControl('ap1', { cli: ['/nowhere/hostapd_cli'] })
    await expect(driver.read(inTime())).rejects.toThrow('/nowhere/hostapd_cli cannot be started')
    const refused = await overControl('ap1', {
      cli: ['/bin/sh', '-c', 'echo Warning: a new host. >&2; echo Permission denied. >&2; exit 255'],
    })
    await expect(refused.read(inTime())).rejects.toThrow('/bin/sh has ended: Permission denied. Check that')
  })

  it('says why iw fails', async () => {
    const driver = await overControl('ap1', { iw: ['/bin/sh', '-c', 'echo nl80211 not found. >&2; exit 1'] })
    await expect(driver.read(inTime())).rejects.toThrow(' fails: nl80211 not found. Run it by hand')
  })

  it('ends the program with its child processes', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'manc-cli-'))
    const script = `sleep 600 & echo $! >${folder}/child; "$@"`
    const driver = await overControl('ap1', { cli: ['/bin/sh', '-c', script, 'sh', ...cliOf('ap1')] })
    await driver.read(inTime())
    const child = readFileSync(`${folder}/child`, 'utf8').trim()
    expect(isRunning(child)).toBe(true)
    await driver.close()
    await expect.poll(() => isRunning(child), soon).toBe(false)
    rmSync(folder, { recursive: true })
  })

  it('gives up on a reply without an end', async () => {
    const driver = await overControl('ap1', { cli: ['/usr/bin/yes', 'x'.repeat(100)] })
    await expect(driver.read(inTime())).rejects.toThrow('answered with more than 4 MiB')
  })
})
