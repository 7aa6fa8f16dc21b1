import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pickNumbers } from '../engines/ports.ts'
import { LabError } from './lab-error.ts'
import { startOwned } from './owned-process.ts'
import { searchPath } from './run.ts'

const readyTimeoutMs = 30_000

/** A program that is read by the gateway. */
interface LabDevice {
  process: ChildProcess
  /** `device` in the settings of the gateway. */
  device: object
}

/** `snmpd` of Debian with a user of SNMP v3, on the loopback interface only. */
export async function startSnmpd(parent: string): Promise<LabDevice> {
  const folder = path.join(parent, 'snmpd')
  // It stores the keys of users there, of an earlier start too.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(path.join(folder, 'state'), { recursive: true, mode: 0o700 })
  const [authPassword, privPassword] = [secret(), secret()]
  const lines = [
    `createUser manc SHA ${authPassword} AES ${privPassword}`,
    'rouser manc priv',
    'sysName lab-snmp',
    'sysLocation MANC lab',
  ]
  const file = path.join(folder, 'snmpd.conf')
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  const [port = 0] = await pickNumbers(1)
  const log = path.join(folder, 'snmpd.log')
  const args = ['-f', '-Lf', log, '-C', '-c', file, '-I', '-smux', `udp:127.0.0.1:${port}`]
  const child = startOwned(['snmpd', ...args], {
    env: { PATH: searchPath, SNMP_PERSISTENT_DIR: path.join(folder, 'state') },
    stdio: 'ignore',
  })
  const device = {
    driver: 'snmp',
    address: '127.0.0.1',
    port,
    user: 'manc',
    auth_password: authPassword,
    priv_password: privPassword,
    interface: 'lo',
  }
  return { process: child, device }
}

/** `prometheus-node-exporter` of Debian, on the loopback interface only. */
export async function startExporter(): Promise<LabDevice> {
  const [port = 0] = await pickNumbers(1)
  const url = `http://127.0.0.1:${port}/metrics`
  const child = startOwned(['prometheus-node-exporter', `--web.listen-address=127.0.0.1:${port}`], {
    env: { PATH: searchPath },
    stdio: 'ignore',
  })
  const deadlineMs = Date.now() + readyTimeoutMs
  while (!(await answers(url))) {
    if (hasEnded(child) || Date.now() > deadlineMs) {
      child.kill('SIGKILL')
      throw new LabError(
        'prometheus-node-exporter does not answer. Run it by hand to see why: prometheus-node-exporter --web.listen-address=127.0.0.1:9100',
      )
    }
    await sleep(200)
  }
  return { process: child, device: { driver: 'prometheus', urls: [url], map: 'node-exporter' } }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

const answers = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  )

const secret = () => randomBytes(18).toString('base64url')
