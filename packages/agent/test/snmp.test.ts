import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { inTime, openDriver } from './drivers.ts'
import { community, SnmpDaemon, user } from './snmp-daemon.ts'

const memTotal = '1.3.6.1.4.1.2021.4.5.0'
const ifIn = '1.3.6.1.2.1.31.1.1.1.6'
const sysUpTime = '1.3.6.1.2.1.1.3.0'
const sysName = '1.3.6.1.2.1.1.5.0'
const sysLocation = '1.3.6.1.2.1.1.6.0'

let daemon: SnmpDaemon
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'manc-snmp-'))
  daemon = await SnmpDaemon.start()
})
afterAll(async () => {
  await daemon?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function mapFile(): string {
  const file = path.join(folder, 'map.json')
  const map = {
    metrics: {
      memory_kib: { oid: memTotal },
      lo_in: { oid: `${ifIn}.{if}` },
      lo_in_rate: { oid: `${ifIn}.{if}`, rate: true },
      all_in: { oid: ifIn, walk: true },
      interfaces: { oid: ifIn, walk: true, combine: 'count' },
      absent: { oid: '1.3.6.1.4.1.99999.1.0' },
      replaced: { oid: '1.3.6.1.4.1.99999.1.0', or: memTotal, factor: 2 },
      ticks: { oid: sysUpTime },
    },
    attributes: { system_name: { oid: sysName }, location: { oid: sysLocation } },
    commands: {
      set_location: { oid: sysLocation, type: 'string', argument: '[a-z]{1,20}' },
      go_home: { oid: sysLocation, type: 'string', value: 'home' },
      set_name: { oid: memTotal, type: 'integer', value: 1 },
    },
  }
  writeFileSync(file, JSON.stringify(map))
  return file
}

const v2c = (more: object = {}) => ({
  driver: 'snmp',
  address: '127.0.0.1',
  port: daemon.port,
  community,
  interface: 'lo',
  map: mapFile(),
  retry_after_s: 2,
  ...more,
})
const v3 = (more: object = {}) => {
  const { community: _, ...rest } = v2c()
  return { ...rest, user: user.name, auth_password: user.auth, priv_password: user.priv, ...more }
}

describe.each([
  ['v2c', v2c],
  ['v3 with authentication and privacy', v3],
])('the driver snmp, with snmpd over %s', (_name, options) => {
  it('reads what snmpget reads at the same time', async () => {
    const driver = await openDriver(options())
    const inBefore = Number(await daemon.get(`${ifIn}.1`))
    const ticksBefore = Number(await daemon.get(sysUpTime))
    const { readings } = await driver.read(inTime())
    const memory = Number(await daemon.get(memTotal))
    const inAfter = Number(await daemon.get(`${ifIn}.1`))
    const ticksAfter = Number(await daemon.get(sysUpTime))
    expect(readings).toMatchObject({
      memory_kib: memory,
      replaced: memory * 2,
      system_name: await daemon.get(sysName),
    })
    expect(readings).not.toHaveProperty('absent')
    expect(readings['lo_in']).toBeGreaterThanOrEqual(inBefore)
    expect(readings['lo_in']).toBeLessThanOrEqual(inAfter)
    expect(readings['ticks']).toBeGreaterThanOrEqual(ticksBefore)
    expect(readings['ticks']).toBeLessThanOrEqual(ticksAfter)
    expect(readings['all_in']).toBeGreaterThanOrEqual(inBefore)
    expect(readings['interfaces']).toBeGreaterThanOrEqual(1)
    const next = (await driver.read(inTime())).readings
    expect(next['lo_in_rate']).toBeGreaterThanOrEqual(0)
    await driver.close()
  })

  it('sets values with commands, and refuses others', async () => {
    const driver = await openDriver(options())
    const result = await driver.execute?.('set_location', ['office'], inTime())
    expect(result).toEqual({ done: 'set_location', oid: sysLocation, value: 'office' })
    expect(await daemon.get(sysLocation)).toBe('office')
    await driver.execute?.('go_home', [], inTime())
    expect(await daemon.get(sysLocation)).toBe('home')
    await expect(driver.execute?.('set_location', ['OFFICE'], inTime())).rejects.toThrow(
      'Arguments not allowed',
    )
    await expect(driver.execute?.('go_home', ['now'], inTime())).rejects.toThrow('takes no arguments')
    await expect(driver.execute?.('set_name', [], inTime())).rejects.toThrow('refused the request')
    expect((await driver.read(inTime())).readings['location']).toBe('home')
    await driver.close()
  })

  it('reads on after a restart of the daemon, without a rate over the restart', async () => {
    const driver = await openDriver(options({ retry_after_s: 1.5 }))
    await driver.read(inTime())
    expect((await driver.read(inTime())).readings).toHaveProperty('lo_in_rate')
    await daemon.end()
    await expect(driver.read(inTime())).rejects.toThrow('did not answer twice within 1.5 s')
    await daemon.run()
    const memory = Number(await daemon.get(memTotal))
    // The reading that discovers the new engine of SNMP v3 may fail.
    const after = await vi.waitFor(() => driver.read(inTime()), { timeout: 60_000, interval: 200 })
    expect(after.readings['memory_kib']).toBe(memory)
    expect(after.readings).not.toHaveProperty('lo_in_rate')
    expect((await driver.read(inTime())).readings).toHaveProperty('lo_in_rate')
    await driver.close()
  })
})

describe('the driver snmp', () => {
  it('says what may be wrong when the credentials are', async () => {
    const read = async (options: Record<string, unknown>) => {
      const driver = await openDriver({ ...options, retry_after_s: 1.5 })
      try {
        return await driver.read(inTime())
      } finally {
        await driver.close()
      }
    }
    await expect(read(v2c({ community: 'wrong-secret' }))).rejects.toThrow(
      'the community: a wrong one gets no answer',
    )
    await expect(read(v3({ user: 'unknown' }))).rejects.toThrow('Check user, protocols and passwords')
    await expect(read(v3({ auth_password: 'wrong-secret' }))).rejects.toThrow(
      'Check user, protocols and passwords',
    )
    await expect(read(v3({ priv_password: 'wrong-secret' }))).rejects.toThrow(
      /a wrong one gets no answer|Check user/,
    )
  })

  it('lists the interfaces, and names them when the one of the settings is missing', async () => {
    const driver = await openDriver(v2c({ interface: 'wlan99' }))
    await expect(driver.read(inTime())).rejects.toThrow(/no interface "wlan99"\. Write one of: .*\blo\b/)
    expect(await driver.discover?.(inTime())).toContain('lo')
    await driver.close()
  })

  it('has throughput, errors and the system name with the ready-made map', async () => {
    const driver = await openDriver(v2c({ map: 'if-mib' }))
    await driver.read(inTime())
    const { readings } = await driver.read(inTime())
    expect(Object.keys(readings)).toEqual(
      expect.arrayContaining([
        'throughput_mbps',
        'throughput_down_mbps',
        'throughput_up_mbps',
        'rx_errors',
        'uptime_s',
      ]),
    )
    expect(readings['system_name']).toBe('device-1')
    await driver.close()
  })

  it('gives up on a device that does not answer, and ends with the signal', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address()
    const driver = await openDriver(v2c({ port, retry_after_s: 0.2 }))
    await expect(driver.read(inTime())).rejects.toThrow('did not answer twice within 0.2 s')
    const slow = await openDriver(v2c({ port, retry_after_s: 60 }))
    await expect(slow.read(AbortSignal.timeout(200))).rejects.toThrow(/closed/i)
    await Promise.all([driver.close(), slow.close()])
    silent.close()
  })
})
