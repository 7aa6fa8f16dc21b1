/**
 * The bare reads of `gateway`: fetch, net-snmp and a child process, at the same rate, as their documentation shows them. Nothing
 * is parsed, stored or sent.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import snmp from 'net-snmp'

interface Settings {
  interval_s: number
  access_points: { device: Device }[]
}
type Device =
  | { driver: 'prometheus'; urls: [string] }
  | { driver: 'snmp'; address: string; port: number; community: string }
  | { driver: 'shell'; run: [string, ...string[]] }

export interface BareResult {
  reads: number
  failed: number
  cpuS: number
}

/** What the map if-mib reads of an interface, and the time of the device. */
const columns = [
  '31.1.1.1.6',
  '31.1.1.1.10',
  '2.2.1.10',
  '2.2.1.13',
  '2.2.1.14',
  '2.2.1.16',
  '2.2.1.19',
  '2.2.1.20',
]
const oids = [...columns.map((column) => `1.3.6.1.2.1.${column}.1`), '1.3.6.1.2.1.1.3.0', '1.3.6.1.2.1.1.5.0']

const { SETTINGS_FILE = '', SECONDS = '' } = process.env
const { interval_s: intervalS, access_points: accessPoints } = JSON.parse(
  readFileSync(SETTINGS_FILE, 'utf8'),
) as Settings
const result: BareResult = { reads: 0, failed: 0, cpuS: 0 }
const before = process.cpuUsage()
const untilMs = performance.now() + Number(SECONDS) * 1000
await Promise.all(
  accessPoints.map(async ({ device }, n) => {
    const read = readerOf(device)
    await sleep((n / accessPoints.length) * intervalS * 1000)
    for (let dueMs = performance.now(); dueMs < untilMs; dueMs += intervalS * 1000) {
      await sleep(Math.max(0, dueMs - performance.now()))
      await read().then(
        () => (result.reads += 1),
        () => (result.failed += 1),
      )
    }
  }),
)
const { user, system } = process.cpuUsage(before)
result.cpuS = (user + system) / 1e6
// The parent ends this process: its sockets are open.
process.send?.(result)

function readerOf(device: Device): () => Promise<unknown> {
  switch (device.driver) {
    case 'prometheus':
      return async () => (await fetch(device.urls[0])).text()
    case 'snmp': {
      const { address, community, port } = device
      const options = { port, retries: 1, timeout: 2000, transport: 'udp4' as const, version: snmp.Version2c }
      const session = snmp.createSession(address, community, options)
      return () =>
        new Promise((resolve, reject) => {
          session.get(oids, (error, varbinds) => (error ? reject(error) : resolve(varbinds)))
        })
    }
    default: {
      const [program, ...parameters] = device.run
      return () => promisify(execFile)(program, parameters)
    }
  }
}
