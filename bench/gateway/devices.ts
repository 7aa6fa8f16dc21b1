import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { closedPort } from '@manc/harness'

const community = 'bench'
const startS = 30
/** Without other programs: a device that costs this machine little. */
const script = `read -r up _ </proc/uptime
read -r load _ </proc/loadavg
echo "uptime_s=$up"
echo "system_load=$load"
`

/** Real programs in place of access points: `prometheus-node-exporter`, `snmpd`, and a shell script. */
export interface Devices {
  exporterUrl: string
  snmp: { address: string; port: number; community: string }
  command: string[]
  stop(): void
}

export async function startDevices(folder: string): Promise<Devices> {
  const exporterAddress = `127.0.0.1:${await closedPort()}`
  const snmpPort = await closedPort()
  const state = path.join(folder, 'snmpd')
  mkdirSync(state)
  const configuration = path.join(folder, 'snmpd.conf')
  writeFileSync(configuration, `rocommunity ${community} 127.0.0.1\nsysName bench\n`)
  const file = path.join(folder, 'read-device')
  writeFileSync(file, script)
  const exporterUrl = `http://${exporterAddress}/metrics`
  const programs = [
    spawn('prometheus-node-exporter', [`--web.listen-address=${exporterAddress}`], { stdio: 'ignore' }),
    spawn(
      '/usr/sbin/snmpd',
      ['-f', '-Lf', '/dev/null', '-C', '-c', configuration, '-I', '-smux', `udp:127.0.0.1:${snmpPort}`],
      { env: { PATH: process.env['PATH'], SNMP_PERSISTENT_DIR: state }, stdio: 'ignore' },
    ),
  ]
  const stop = () => programs.forEach((each) => each.kill('SIGKILL'))
  try {
    await untilItAnswers('prometheus-node-exporter', programs[0], async () =>
      (await fetch(exporterUrl)).text(),
    )
    const get = ['-v2c', '-c', community, '-t', '1', '-r', '0', `127.0.0.1:${snmpPort}`, '1.3.6.1.2.1.1.3.0']
    await untilItAnswers('snmpd', programs[1], () => promisify(execFile)('snmpget', get))
  } catch (error) {
    stop()
    throw error
  }
  return {
    exporterUrl,
    snmp: { address: '127.0.0.1', port: snmpPort, community },
    command: ['/bin/sh', file],
    stop,
  }
}

async function untilItAnswers(
  name: string,
  child: ChildProcess | undefined,
  ask: () => Promise<unknown>,
): Promise<void> {
  let failure: unknown
  child?.once('error', (error) => {
    failure = error
  })
  for (const until = performance.now() + startS * 1000; performance.now() < until; await sleep(200))
    try {
      await ask()
      return
    } catch (error) {
      failure ??= error
    }
  throw new Error(`${name} does not answer. Install the packages snmpd, snmp and prometheus-node-exporter.`, {
    cause: failure,
  })
}

const drivers = ['prometheus', 'snmp', 'shell'] as const

/** The settings of the nth access point: the drivers take turns. */
export function deviceOf(n: number, { exporterUrl, snmp, command }: Devices): object {
  switch (drivers[n % drivers.length]) {
    case 'prometheus':
      return { driver: 'prometheus', urls: [exporterUrl], map: 'node-exporter' }
    case 'snmp':
      return { driver: 'snmp', ...snmp, interface: 'lo' }
    default:
      return { driver: 'shell', run: command }
  }
}
