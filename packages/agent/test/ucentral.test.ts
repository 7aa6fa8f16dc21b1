import type { AttachedClient } from '@manc/sdk/agent'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTime } from './drivers.ts'
import type { UcentralPeer } from './peers/ucentral-device.ts'
import * as messages from './peers/ucentral-messages.ts'
import { Certificates, soon, UcentralWorld } from './ucentral-setup.ts'

const one = '903cb3bb1c1a'
const two = '903cb3bb1c2b'
const client = '02:00:00:00:aa:01'

let certificates: Certificates
let world: UcentralWorld

beforeAll(() => {
  certificates = new Certificates()
})
beforeEach(async () => {
  world = await UcentralWorld.open(certificates)
})
afterEach(() => world.close())
afterAll(() => certificates.remove())

describe('the driver ucentral', () => {
  it.each([false, true])(
    'reads radios, networks and stations of a state, compressed: %s',
    async (isCompressing) => {
      const driver = await world.driver('90:3C:B3:BB:1C:1A')
      const peer = await world.connected(one, { isCompressing })
      const { radio } = peer
      const station = radio.add(client, { rssi: -60, connected: 120 })
      radio.add('02:00:00:00:aa:02', { rssi: -50 })
      const first = await driver.read(inTime())
      expect(first.readings).toEqual({
        clients: 2,
        signal_quality: 1,
        snr_db: 40,
        rssi_dbm: -55,
        phy_rate_mbps: 866.7,
        uptime_s: 3600,
        cpu_load_pct: 12,
        memory_usage_pct: 25,
        temperature_c: 62,
        ssid: 'office',
        bssid: radio.bssid,
        band: '5G',
        channel: 36,
        frequency_mhz: 5180,
        channel_width_mhz: 80,
        tx_power_dbm: 20,
        noise_dbm: -95,
        firmware: 'OpenWrt 21.02-SNAPSHOT r16399 / TIP-v3.0.0',
        model: 'EdgeCore EAP101',
        configuration_uuid: '1619821343',
      })
      expect(first.clients).toEqual([
        { client, since: expect.any(String), signal_dbm: -60, rate_mbps: 866.7 },
        { client: '02:00:00:00:aa:02', since: expect.any(String), signal_dbm: -50, rate_mbps: 866.7 },
      ])
      expect(Date.now() - Date.parse(first.clients?.[0]?.since ?? '')).toBeGreaterThanOrEqual(120_000)
      expect(peer.received).toMatchObject([
        { jsonrpc: '2.0', method: 'request', params: { serial: one, message: 'state' } },
      ])
      radio.txBytes += 2_000_000
      radio.rxBytes += 1_000_000
      radio.activeMs += 1000
      radio.busyMs += 370
      station.txBytes += 500_000
      station.rxBytes += 500_000
      const { readings, clients } = await driver.read(inTime())
      expect(readings).toMatchObject({ load_pct: 37 })
      expect(Number(readings['throughput_down_mbps'])).toBeGreaterThan(0)
      expect(Number(readings['throughput_down_mbps'])).toBeCloseTo(
        2 * Number(readings['throughput_up_mbps']),
        1,
      )
      expect(clients?.[0]?.throughput_mbps).toBeGreaterThan(0)
      expect(clients?.[1]?.throughput_mbps).toBe(0)
    },
  )

  it('uses states and telemetry that come by themselves, and asks for one otherwise', async () => {
    const driver = await world.driver(one)
    const peer = await world.connected(one)
    peer.sendState()
    await peer.hasArrived()
    expect((await driver.read(inTime())).readings).toMatchObject({ clients: 0 })
    expect(peer.methods).toEqual([])
    peer.radio.add(client)
    peer.send(messages.telemetry(one, { state: [[1_871_263_817, peer.radio.document]] }))
    await peer.hasArrived()
    expect((await driver.read(inTime())).readings).toMatchObject({ clients: 1 })
    expect(peer.methods).toEqual([])
    await driver.read(inTime())
    expect(peer.methods).toEqual(['request'])
  })

  it('reports clients as soon as they join and leave', async () => {
    const driver = await world.driver(one)
    const peer = await world.connected(one)
    const reports: (readonly string[])[] = []
    const watching = new AbortController()
    const watched = driver.watchClients?.(
      (clients) => reports.push(clients.map((each) => each.client)),
      watching.signal,
    )
    await driver.read(inTime())
    peer.send(messages.event(one, 'client.join', { client, bssid: peer.radio.bssid, rssi: -61 }))
    await expect.poll(() => reports, soon).toEqual([[client]])
    peer.send(messages.event(one, 'client.leave', { client, bssid: peer.radio.bssid }))
    await expect.poll(() => reports, soon).toEqual([[client], []])
    watching.abort()
    await watched
  })

  it('keeps the start of attachments when another client joins, and in a state that is read later', async () => {
    const driver = await world.driver(one)
    const peer = await world.connected(one)
    peer.radio.add(client, { connected: 120 })
    const startOf = (clients: readonly AttachedClient[] = []) =>
      clients.find((each) => each.client === client)?.since
    const starts: unknown[] = []
    const watching = new AbortController()
    const watched = driver.watchClients?.((clients) => starts.push(startOf(clients)), watching.signal)
    peer.sendState()
    await peer.hasArrived()
    const arrivedMs = Date.now()
    // The age of the state must be visible in what would be computed from the time of the event.
    await expect.poll(() => Date.now() - arrivedMs, soon).toBeGreaterThan(50)
    const other = '02:00:00:00:aa:02'
    peer.send(messages.event(one, 'client.join', { client: other, bssid: peer.radio.bssid }))
    await expect.poll(() => starts.length, soon).toBe(1)
    const { clients } = await driver.read(inTime())
    expect(peer.methods).toEqual([])
    expect(startOf(clients)).toBe(starts[0])
    expect(Date.parse(String(starts[0]))).toBeLessThanOrEqual(arrivedMs - 120_000)
    watching.abort()
    await watched
  })

  it('has the health of the access point, and logs what it warns of, but not its passwords', async () => {
    const driver = await world.driver(one)
    const peer = await world.connected(one)
    peer.sendState()
    for (const text of [
      messages.healthcheck(one, 80),
      messages.log(one, 'radio 1 has failed', 3),
      messages.log(one, 'a debug message', 7),
      messages.crashlog(one, ['Kernel panic', 'Call trace']),
      messages.recovery(one, ['no uplink']),
      messages.deviceUpdate(one, 'the-new-password'),
      messages.ping(one, 1_700_000_001),
      messages.radius,
    ])
      peer.send(text)
    await peer.hasArrived()
    expect((await driver.read(inTime())).readings).toMatchObject({
      sanity_pct: 80,
      configuration_uuid: '1700000001',
    })
    const log = world.lines.join('\n')
    expect(log).toContain('warn access point reports {"severity":3,"text":"radio 1 has failed"}')
    expect(log).toContain('has crashed and started again {"lines":2,"last_line":"Call trace"}')
    expect(log).toContain('is in recovery mode {"lines":1,"last_line":"no uplink"')
    expect(log).not.toMatch(/debug message|the-new-password/)
  })

  it('accepts the event of the documents without a change', async () => {
    const driver = await world.driver('001122334455')
    const peer = await world.connected('001122334455')
    await driver.read(inTime())
    peer.send(messages.documentedEvent)
    await peer.hasArrived()
    expect((await driver.read(inTime())).readings).toMatchObject({ clients: 0 })
    expect(peer.closed).toBeUndefined()
  })

  it('says that the access point is not connected, and reads it as soon as it is', async () => {
    let isReadable = 0
    const driver = await world.driver(one, {}, { onReadable: () => void (isReadable += 1) })
    await expect(driver.read(inTime())).rejects.toThrow(
      /903cb3bb1c1a is not connected\. This gateway listens on \*:\d+\. .*Check the address and the certificates/,
    )
    await expect(driver.execute?.('reboot', [], inTime())).rejects.toThrow('is not connected')
    const peer = await world.connected(one)
    await expect.poll(() => isReadable, soon).toBe(1)
    await driver.read(inTime())
    peer.stop()
    await world.logged('access point disconnected')
    const again = await world.connected(one)
    await expect.poll(() => isReadable, soon).toBe(2)
    expect((await driver.read(inTime())).readings).toMatchObject({ clients: 0 })
    // The newer connection counts.
    const newer = await world.connected(one)
    await expect.poll(() => again.closed?.reason, soon).toBe('the access point has connected again')
    await driver.read(inTime())
    expect(newer.methods).toEqual(['request'])
  })

  it('is replaced by another one without a new connection', async () => {
    const driver = await world.driver(one)
    const peer = await world.connected(one)
    await driver.read(inTime())
    const other = await world.driver(one)
    await driver.close()
    expect((await other.read(inTime())).readings).toMatchObject({ clients: 0 })
    await other.close()
    await expect.poll(() => peer.closed?.reason, soon).toBe('the gateway no longer serves this access point')
  })

  it('does not wait for an access point that hangs when it reads another one', async () => {
    const [hanging, driver] = [await world.driver(one), await world.driver(two)]
    const silent = await world.connected(one, { isSilent: true })
    await world.connected(two)
    const waiting = new AbortController()
    const read = hanging.read(waiting.signal)
    read.catch(() => {})
    await expect.poll(() => silent.methods, soon).toEqual(['request'])
    for (let n = 0; n < 5; n += 1)
      expect((await driver.read(inTime())).readings).toMatchObject({ clients: 0 })
    waiting.abort(new Error('no answer'))
    await expect(read).rejects.toThrow('no answer')
  })
})

describe('commands of the driver ucentral', () => {
  it('reboots the access point, and reports its refusal', async () => {
    const driver = await world.driver(one)
    let error = 0
    const peer = await world.connected(one, {
      answer: () => (error === 0 ? { error, text: 'rebooting' } : { error, text: 'an upgrade is running' }),
    })
    await driver.read(inTime())
    expect(await driver.execute?.('reboot', [], inTime())).toEqual({ done: 'reboot', text: 'rebooting' })
    expect(peer.received.at(-1)).toMatchObject({ method: 'reboot', params: { serial: one, when: 0 } })
    error = 2
    await expect(driver.execute?.('reboot', [], inTime())).rejects.toThrow(
      'The access point refuses reboot with error 2: an upgrade is running.',
    )
  })

  it('applies configurations of the settings, and no others', async () => {
    const configurations = { night: world.configuration('night', { uuid: 1, radios: [{ band: '5G' }] }) }
    const driver = await world.driver(one, { configurations })
    let status: messages.PeerStatus = { error: 0, text: 'Success' }
    const peer = await world.connected(one, { answer: () => status })
    await driver.read(inTime())
    const before = Math.floor(Date.now() / 1000)
    const result = await driver.execute?.('configure', ['night'], inTime())
    const { uuid } = result as { uuid: number }
    expect(result).toEqual({ done: 'configure', configuration: 'night', uuid, text: 'Success' })
    expect(uuid).toBeGreaterThanOrEqual(before)
    expect(peer.received.at(-1)).toMatchObject({
      method: 'configure',
      params: { serial: one, uuid, when: 0, config: { uuid, radios: [{ band: '5G' }] } },
    })
    const rejected = [{ parameter: { channel: 200 }, reason: 'not allowed here', substitution: {} }]
    status = { error: 1, text: 'applied with changes', rejected }
    expect(await driver.execute?.('configure', ['night'], inTime())).toMatchObject({
      rejected: [{ parameter: '{"channel":200}', reason: 'not allowed here' }],
    })
    status = { error: 2, text: 'rejected', rejected }
    await expect(driver.execute?.('configure', ['night'], inTime())).rejects.toThrow(
      'refuses configure with error 2: rejected; not allowed here.',
    )
    await expect(driver.execute?.('configure', ['day'], inTime())).rejects.toThrow('one of: night')
    expect((await world.driver(two)).commands).not.toHaveProperty('configure')
  })

  it('sets channel and power, and disconnects clients, with or without a confirmation', async () => {
    const driver = await world.driver(one)
    let isConfirming = true
    const peer = await world.connected(one, {
      answer: () => (isConfirming ? { error: 0, text: 'ok' } : undefined),
    })
    const { bssid } = peer.radio
    await driver.read(inTime())
    expect(await driver.execute?.('set_channel', ['5745'], inTime())).toEqual({
      done: 'set_channel',
      frequency_mhz: 5745,
      text: 'ok',
    })
    expect(peer.received.at(-1)).toMatchObject({
      method: 'rrm',
      params: { serial: one, actions: [{ action: 'channel_switch', bssid, channel: 149 }] },
    })
    await driver.execute?.('set_power', ['17', '5G'], inTime())
    expect(peer.received.at(-1)?.params['actions']).toEqual([{ action: 'tx_power', bssid, level: 17 }])
    isConfirming = false
    expect(await driver.execute?.('disconnect_client', [client], inTime())).toMatchObject({
      text: 'sent; the access point does not confirm this command',
    })
    expect(peer.received.at(-1)?.params['actions']).toEqual([{ action: 'kick', addr: client, ban_time: 0 }])
    await expect(driver.execute?.('set_channel', ['2437'], inTime())).rejects.toThrow('It has: 5180 MHz')
    await expect(driver.execute?.('set_channel', ['36'], inTime())).rejects.toThrow('set_channel 5180')
    await expect(driver.execute?.('set_power', ['20', '2G'], inTime())).rejects.toThrow('no such radio')
    await expect(driver.execute?.('set_power', ['full'], inTime())).rejects.toThrow('set_power 20 5G')
    await expect(driver.execute?.('disconnect_client', ['me'], inTime())).rejects.toThrow('Write')
  })

  it('steers a client to another access point of the same listener, and reports that it has arrived', async () => {
    const [from, to] = [
      await world.driver(one, {}, { apId: 'wifi-1' }),
      await world.driver(two, {}, { apId: 'wifi-2' }),
    ]
    const target = await world.connected(two)
    const source: UcentralPeer = await world.connected(one, {
      answer: () => {
        target.radio.stations.push(...source.radio.stations.splice(0))
        return { error: 0, text: 'triggered' }
      },
    })
    source.radio.add(client)
    await Promise.all([from.read(inTime()), to.read(inTime())])
    expect(await from.execute?.('steer_client', [client, 'wifi-2'], inTime())).toMatchObject({
      client,
      to: 'wifi-2',
      moved: true,
    })
    expect(source.received.find(({ method }) => method === 'rrm')?.params['actions']).toEqual([
      { action: 'bss_transition', addr: client, neighbors: [target.radio.bssid] },
    ])
    await expect(from.execute?.('steer_client', [client, 'wifi-2'], inTime())).rejects.toThrow('not attached')
    await expect(to.execute?.('steer_client', [client, 'wifi-9'], inTime())).rejects.toThrow(
      'Name one of the access points of this gateway: wifi-1',
    )
  })

  it('end with the connection', async () => {
    const driver = await world.driver(one)
    const peer = await world.connected(one)
    await driver.read(inTime())
    const rebooting = driver.execute?.('reboot', [], inTime())
    rebooting?.catch(() => {})
    await expect.poll(() => peer.methods, soon).toContain('reboot')
    peer.stop()
    await expect(rebooting).rejects.toThrow('The access point was disconnected')
  })
})
