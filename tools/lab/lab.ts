/** The part of `npm run lab` that `npm run dev` does not have: real devices without hardware, and a gateway that reads them. */
import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Manc } from '@manc/sdk'
import { startExporter, startSnmpd } from './devices.ts'
import { installForLab } from './host-packages.ts'
import { LabError } from './lab-error.ts'
import { startOwned } from './owned-process.ts'
import { WifiGuest } from './wifi-guest.ts'

const root = path.join(import.meta.dirname, '../..')
const stations = 2
const attachTimeoutMs = 120_000

interface Lab {
  manc: Manc
  url: string
  mqttUrl: string
  /** For settings and logs. It is kept: it has the passwords of the access points. */
  folder: string
  /** Gets the processes as they start. The caller ends them. */
  children: ChildProcess[]
  signal: AbortSignal
}

interface RunningLab {
  clients: Client[]
  guest: WifiGuest
}

/** Before anything else is started: it may take minutes the first time, or fail. */
export const prepareLab = (): Promise<void> => installForLab(progress)

/** Resolves when the controller knows both stations. */
export async function startLab(lab: Lab): Promise<RunningLab> {
  const { folder, children } = lab
  console.log('Starting snmpd, prometheus-node-exporter and a virtual machine with two access points …')
  const snmp = await startSnmpd(folder)
  children.push(snmp.process)
  const exporter = await startExporter()
  children.push(exporter.process)
  const startedAt = Date.now()
  const guest = await WifiGuest.start(progress, (child) => children.push(child))
  process.once('exit', () => guest.removeFiles())
  progress(`the WiFi guest is ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
  const accessPoints = [
    { ap_id: 'lab-wifi-1', configuration: { name: 'Lab WiFi 1' }, device: guest.deviceOf('ap1') },
    { ap_id: 'lab-wifi-2', configuration: { name: 'Lab WiFi 2' }, device: guest.deviceOf('ap2') },
    { ap_id: 'lab-snmp', configuration: { name: 'snmpd' }, device: snmp.device },
    { ap_id: 'lab-exporter', configuration: { name: 'node_exporter' }, device: exporter.device },
  ]
  children.push(await startGateway(lab, accessPoints))
  return { clients: await attachedClients(lab), guest }
}

const progress = (line: string) => console.log(`  ${line}`)

async function startGateway({ manc, url, mqttUrl, folder, signal }: Lab, accessPoints: object[]) {
  const { token } = await manc.enrolment.create({ ap_id_pattern: 'lab-*', max_uses: accessPoints.length })
  const settings = {
    url,
    mqtt_url: mqttUrl,
    enrolment_token: token,
    state_folder: path.join(folder, 'gateway'),
    interval_s: 10,
    configuration: { place: 'Lab' },
    access_points: accessPoints,
  }
  const file = path.join(folder, 'gateway.json')
  writeFileSync(file, JSON.stringify(settings, null, 2), { mode: 0o600 })
  const logFile = path.join(folder, 'gateway.log')
  const log = openSync(logFile, 'a', 0o600)
  const program = path.join(root, 'packages/agent/src/main.ts')
  const child = startOwned([process.execPath, program, '--settings', file], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.once('exit', () => {
    if (!signal.aborted)
      console.log(`  the gateway has ended; the reason is in ${path.relative(root, logFile)}`)
  })
  progress(`the gateway runs with ${path.relative(root, file)}`)
  return child
}

async function attachedClients({ manc, folder, signal }: Lab): Promise<Client[]> {
  for (const deadlineMs = Date.now() + attachTimeoutMs; Date.now() < deadlineMs; ) {
    const clients = await Array.fromAsync(manc.clients.list({ state: 'attached' }))
    const own = clients.filter(({ ap_id: apId }) => apId.startsWith('lab-'))
    if (own.length >= stations) return own
    await sleep(500, undefined, { signal })
  }
  throw new LabError(
    `The gateway has not reported both stations within ${attachTimeoutMs / 1000} s. Its log is ${path.join(folder, 'gateway.log')}`,
  )
}

interface TourValues extends RunningLab {
  url: string
  adminName: string
  adminPassword: string
}

export function labTour({ url, adminName, adminPassword, clients, guest }: TourValues): string {
  const [client] = clients
  const { id = '', ap_id: from = '' } = client ?? {}
  const to = from === 'lab-wifi-1' ? 'lab-wifi-2' : 'lab-wifi-1'
  const ssh = `ssh ${guest.sshArguments.join(' ')}`
  return `
Four access points are live: lab-wifi-1 and lab-wifi-2 (hostapd, in the guest), lab-snmp (snmpd) and lab-exporter
(prometheus-node-exporter, both on this machine). Two stations (wpa_supplicant, in the guest) are their clients.

Open ${url}/clients/${id} in a browser and sign in with the user name and password above. Choose ${to} under
"Move" and watch the client move: 802.11v, by a real station.

The same from the command line, in a second terminal in this folder:

  1. Move the client, and read where it was.
     echo ${adminPassword} | npx manc login --url ${url} --username ${adminName} --password-stdin
     npx manc commands send ${from} steer_client ${id} ${to}
     npx manc clients history ${id}

  2. See what hostapd says about it.
     ${ssh} tail -f /run/ap1.log /run/ap2.log

  3. Take an access point out of coverage, and try to move a client there: it refuses, or does not arrive.
     ${ssh} coverage ap2 off
     ${ssh} coverage ap2 on
`
}
