import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { closedPort } from '@manc/harness'
import { TestCa, TlsProxy } from '@manc/harness/tls'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { inTime, openDriver } from './drivers.ts'
import { Exporter } from './peers/exporter.ts'

const soon = { timeout: 60_000, interval: 100 }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'manc-prometheus-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function mapFile(map: object): string {
  const file = path.join(folder, 'map.json')
  writeFileSync(file, JSON.stringify(map))
  return file
}

describe('the driver prometheus, with prometheus-node-exporter', () => {
  let exporter: ChildProcess
  let url: string

  beforeAll(async () => {
    const address = `127.0.0.1:${await closedPort()}`
    url = `http://${address}/metrics`
    exporter = spawn('prometheus-node-exporter', [`--web.listen-address=${address}`], { stdio: 'ignore' })
    await vi.waitFor(async () => expect((await fetch(url)).status).toBe(200), soon)
  })
  afterAll(async () => {
    exporter.kill()
    await once(exporter, 'exit')
  })

  const exported = async (name: string) => {
    const text = await (await fetch(url)).text()
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
  }

  it('reads the values that the exporter prints', async () => {
    const metrics = {
      total: { from: 'node_memory_MemTotal_bytes' },
      boot: { from: 'node_boot_time_seconds' },
      switches: { from: 'node_context_switches_total' },
      cpus: { from: 'node_cpu_seconds_total', labels: { mode: 'idle' }, combine: 'count' },
      all_modes: { from: 'node_cpu_seconds_total', combine: 'sum' },
    }
    const driver = await openDriver({ driver: 'prometheus', urls: [url], map: mapFile({ metrics }) })
    const before = await exported('node_context_switches_total')
    const { readings } = await driver.read(inTime())
    const after = await exported('node_context_switches_total')
    expect(readings).toMatchObject({
      total: await exported('node_memory_MemTotal_bytes'),
      boot: await exported('node_boot_time_seconds'),
    })
    expect(readings['switches']).toBeGreaterThanOrEqual(before)
    expect(readings['switches']).toBeLessThanOrEqual(after)
    const text = await (await fetch(url)).text()
    expect(readings['cpus']).toBe([...text.matchAll(/^node_cpu_seconds_total\{.*mode="idle".*$/gm)].length)
  })

  it('has rates, ratios and differences with the ready-made map', async () => {
    const driver = await openDriver({ driver: 'prometheus', urls: [url], map: 'node-exporter' })
    const first = await driver.read(inTime())
    expect(first.readings).not.toHaveProperty('throughput_mbps')
    await expect
      .poll(async () => Object.keys((await driver.read(inTime())).readings), soon)
      .toEqual(expect.arrayContaining(['cpu_load_pct', 'memory_usage_pct', 'uptime_s']))
    const { readings } = await driver.read(inTime())
    const total = await exported('node_memory_MemTotal_bytes')
    const available = await exported('node_memory_MemAvailable_bytes')
    expect(Math.abs(Number(readings['memory_usage_pct']) - (1 - available / total) * 100)).toBeLessThan(10)
    expect(Number(readings['uptime_s'])).toBeGreaterThan(0)
    expect(Number(readings['cpu_load_pct'])).toBeLessThanOrEqual(100)
    expect(Number(readings['cpu_load_pct'])).toBeGreaterThanOrEqual(0)
  })
})

describe('the driver prometheus', () => {
  it('computes rates, and counts from zero after a restart of the exporter', async () => {
    const exporter = await Exporter.start('bytes_total{device="a"} 1000\nbytes_total{device="b"} 5')
    const metrics = {
      mbps: { from: 'bytes_total', rate: true, factor: 8e-6 },
      bytes: { from: 'bytes_total', increase: true },
    }
    const driver = await openDriver({ driver: 'prometheus', urls: [exporter.url], map: mapFile({ metrics }) })
    const started = performance.now()
    expect((await driver.read(inTime())).readings).toEqual({})
    exporter.text = 'bytes_total{device="a"} 501000\nbytes_total{device="b"} 500005'
    const { readings } = await driver.read(inTime())
    const seconds = (performance.now() - started) / 1000
    expect(readings['bytes']).toBe(1_000_000)
    expect(readings['mbps']).toBeGreaterThanOrEqual(8 / seconds)
    exporter.text = 'bytes_total{device="a"} 70'
    expect((await driver.read(inTime())).readings['bytes']).toBe(70)
    await exporter.stop()
  })

  it('reads one access point of an exporter that has several, and its clients', async () => {
    const exporter = await Exporter.start(
      [
        'wifi_stations{ifname="phy0-ap0"} 2',
        'wifi_stations{ifname="phy1-ap0"} 1',
        'wifi_station_signal_dbm{ifname="phy0-ap0",mac="02:00:00:00:00:01"} -50',
        'wifi_station_signal_dbm{ifname="phy0-ap0",mac="02:00:00:00:00:02"} -60',
        'wifi_station_signal_dbm{ifname="phy1-ap0",mac="02:00:00:00:00:03"} -70',
        'wifi_network_noise_dbm{ifname="phy0-ap0"} -95',
        'wifi_network_noise_dbm{ifname="phy1-ap0"} -90',
        'node_memory_MemTotal_bytes 1000',
        'node_memory_MemAvailable_bytes 250',
      ].join('\n'),
    )
    const where = { ifname: 'phy0-ap0' }
    const device = { driver: 'prometheus', urls: [exporter.url], map: 'openwrt', where }
    const { readings, clients } = await (await openDriver(device)).read(inTime())
    expect(readings).toEqual({ clients: 2, rssi_dbm: -55, noise_dbm: -95, snr_db: 40, memory_usage_pct: 75 })
    expect(clients).toEqual([
      { client: '02:00:00:00:00:01', signal_dbm: -50 },
      { client: '02:00:00:00:00:02', signal_dbm: -60 },
    ])
    await exporter.stop()
  })

  it('reads several exporters as one access point', async () => {
    const [amf, upf] = [
      await Exporter.start('ran_ue 12\ngnb 2'),
      await Exporter.start('fivegs_upffunction_upf_sessionnbr 11'),
    ]
    const device = { driver: 'prometheus', urls: [amf.url, upf.url], map: 'open5gs' }
    const { readings } = await (await openDriver(device)).read(inTime())
    expect(readings).toEqual({ clients: 12, gnbs: 2, upf_sessions: 11 })
    await Promise.all([amf.stop(), upf.stop()])
  })

  it('authenticates, and says what to do when the exporter refuses', async () => {
    const server = createServer((request, response) => {
      const isAllowed = ['Bearer secret-token', `Basic ${btoa('name:secret-password')}`].includes(
        request.headers.authorization ?? '',
      )
      response.statusCode = isAllowed ? 200 : 401
      response.end('ran_ue 1')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const urls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`]
    const read = async (more: object) =>
      (await openDriver({ driver: 'prometheus', urls, map: 'open5gs', ...more })).read(inTime())
    expect((await read({ bearer_token: 'secret-token' })).readings).toEqual({ clients: 1 })
    expect((await read({ username: 'name', password: 'secret-password' })).readings).toEqual({ clients: 1 })
    await expect(read({})).rejects.toThrow('answered with status 401. Check its credentials.')
    server.closeAllConnections()
    server.close()
  })

  it('says what is wrong with an exporter that cannot be read', async () => {
    const read = async (urls: string[]) =>
      (await openDriver({ driver: 'prometheus', urls, map: 'open5gs' })).read(inTime())
    await expect(read([`http://127.0.0.1:${await closedPort()}/metrics`])).rejects.toThrow(
      /cannot be reached: .*ECONNREFUSED.* Check the address, and that the exporter runs/,
    )
    const page = await Exporter.start('<html>')
    await expect(read([page.url])).rejects.toThrow('not in the text format of Prometheus')
    page.text = 'another_metric 1'
    await expect(read([page.url])).rejects.toThrow('none of the metrics of the map')
    await page.stop()
  })

  it('says which names of the map have no samples, and which values "where" can have', async () => {
    const exporter = await Exporter.start('ues{cell="0"} 3\nues{cell="1"} 4\ncqi{ue="a",kind="dl"} 9')
    const metrics = {
      clients: { from: 'ues' },
      cqi: { from: 'cqi', labels: { kind: 'ul' } },
      load_pct: { from: 'prb_used' },
    }
    const device = { driver: 'prometheus', urls: [exporter.url], map: mapFile({ metrics }) }
    const first = await openDriver({ ...device, where: { cell: '1' } })
    expect((await first.read(inTime())).readings).toEqual({ clients: 4 })
    expect(first.missing).toEqual(['cqi (excluded by labels or where)', 'prb_used (not in the exporter)'])
    const third = await openDriver({ ...device, where: { cell: '3' } })
    await expect(third.read(inTime())).rejects.toThrow('ues (excluded by labels or where)')
    await expect(third.read(inTime())).rejects.toThrow('The exporter has cell: 0, 1. Correct')
    await exporter.stop()
  })

  it('does not follow redirects, and says where to', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(307, { location: 'https://127.0.0.1/metrics' }).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const urls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`]
    const driver = await openDriver({ driver: 'prometheus', urls, map: 'open5gs' })
    await expect(driver.read(inTime())).rejects.toThrow(
      'redirects to https://127.0.0.1/metrics. Write the address that it redirects to.',
    )
    server.closeAllConnections()
    server.close()
  })

  it('verifies the certificate of an exporter, and says that the device needs a CA file', async () => {
    const ca = new TestCa()
    const exporter = await Exporter.start('ran_ue 1')
    const proxy = await TlsProxy.to(exporter.url, ca.issue('localhost'))
    const device = { driver: 'prometheus', urls: [`${proxy.url}/metrics`], map: 'open5gs' }
    const read = async (more: object) => (await openDriver({ ...device, ...more })).read(inTime())
    expect((await read({ ca_file: ca.file })).readings).toEqual({ clients: 1 })
    await expect(read({})).rejects.toThrow('Set the file of that CA: ca_file of the device.')
    await expect(read({ ca_file: '/nowhere/ca.pem' })).rejects.toThrow('Correct ca_file of the device, or')
    await proxy.close()
    await exporter.stop()
    ca.remove()
  })
})
