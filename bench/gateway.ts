import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFleet } from '@manc/harness/load'
import type { BareResult } from './bare/gateway.ts'
import { type Bench, percentile, rounded } from './bench.ts'
import { untilEmpty } from './broker.ts'
import { type BenchEnvironment, createBenchEnvironment } from './environment.ts'
import { deviceOf, startDevices } from './gateway/devices.ts'
import type { ProbeResult } from './gateway/probe.ts'
import { storedSamples } from './gateway/stored.ts'
import { Uplink } from './gateway/uplink.ts'
import { type Usage, usageOf } from './usage.ts'

const intervalS = 10
const program = path.join(import.meta.dirname, '../packages/agent/src/main.ts')
const probe = path.join(import.meta.dirname, 'gateway/probe.ts')

/**
 * Access points with the drivers prometheus, snmp and shell in one gateway, against a real exporter, a real `snmpd` and a script.
 * During the run the broker is killed and started, and later the gateway has no network to the controller. Every sample must be
 * in the store. The ratio is the CPU time of a read without the gateway (fetch, net-snmp and a child process, results dropped)
 * against that of a sample of the gateway, which also parses it, keeps it on disk and delivers it.
 */
export const gateway: Bench = async ({ quick, minutes = 10, agents = quick ? 100 : 500, log }) => {
  const seconds = quick ? 60 : minutes * 60
  const outageS = Math.min(60, seconds / 4)
  const folder = mkdtempSync(path.join(tmpdir(), 'manc-bench-gateway-'))
  const devices = await startDevices(folder)
  const environment = await createBenchEnvironment(log, {
    ownBroker: true,
    roles: 'api,subscriber,ingester',
  })
  const uplinks = [
    await Uplink.to(environment.server.url),
    await Uplink.to(environment.engines.urls.mqtt),
  ] as const
  let running: Gateway | undefined
  try {
    const fleet = await createFleet(environment.variables, 'gateway', agents)
    const files = { settings: path.join(folder, 'gateway.json'), probe: path.join(folder, 'probe.json') }
    const settings = {
      url: uplinks[0].url,
      mqtt_url: uplinks[1].url,
      state_folder: path.join(folder, 'state'),
      interval_s: intervalS,
      access_points: fleet.map(({ apId, password }, n) => ({
        ap_id: apId,
        password,
        device: deviceOf(n, devices),
      })),
    }
    writeFileSync(files.settings, JSON.stringify(settings), { mode: 0o600 })
    log(`starting a gateway with ${agents} access points …`)
    running = startGateway(files)
    const pid = running.child.pid ?? 0
    const connectedS = await untilAllAreStored(environment, agents, running)
    log(`samples of all are stored after ${rounded(connectedS, 1)} s; measuring for ${seconds} s …`)
    running.child.kill('SIGUSR2')
    const run = { environment, uplinks, pid, seconds, outageS, log }
    const measured = await measure(run)
    const waiting = await stop(running)
    const { recorded, failedReadings, latenessMs } = JSON.parse(
      readFileSync(files.probe, 'utf8'),
    ) as ProbeResult
    await untilEmpty(environment.engines.urls.rabbitmqManagement)
    const stored = await storedSamples(environment.engines)
    log(`${recorded} samples recorded, ${stored.different} stored; bare reads …`)
    const bare = await readBare(files.settings, Math.max(20, seconds / 10))
    const ours = measured.cpuS / latenessMs.length
    const late = (part: number) => Math.round(percentile(latenessMs, part))
    return {
      ratio: rounded(bare.cpuS / bare.reads / ours, 3),
      access_points: agents,
      seconds,
      cpu_cores: rounded(measured.cpuS / measured.elapsedS, 3),
      cpu_ms_per_sample: rounded(ours * 1000),
      bare_cpu_ms_per_read: rounded((bare.cpuS / bare.reads) * 1000),
      rss_mib: Math.round(measured.rssMib),
      rss_max_mib: Math.round(measured.rssMaxMib),
      first_sample_of_all_s: rounded(connectedS, 1),
      late_p50_ms: late(0.5),
      late_p99_ms: late(0.99),
      late_max_ms: Math.round(latenessMs.reduce((most, each) => Math.max(most, each), 0)),
      readings_failed: failedReadings,
      samples: recorded,
      samples_stored: stored.different,
      samples_repeated: stored.all - stored.different,
      samples_waiting: waiting,
      samples_lost: recorded - stored.different - waiting,
    }
  } finally {
    running?.child.kill('SIGKILL')
    devices.stop()
    for (const uplink of uplinks) uplink.close()
    await environment.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Gateway {
  child: ChildProcess
  /** The end of its log. */
  tail: () => string
}

function startGateway(files: { settings: string; probe: string }): Gateway {
  const child = spawn(process.execPath, ['--import', probe, program, '--settings', files.settings], {
    env: { PATH: process.env['PATH'], MANC_BENCH_PROBE: files.probe },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-10_000)
  })
  return { child, tail: () => text }
}

async function untilAllAreStored(
  { engines }: BenchEnvironment,
  agents: number,
  { tail }: Gateway,
): Promise<number> {
  const startedAt = performance.now()
  const elapsedS = () => (performance.now() - startedAt) / 1000
  for (;;) {
    await sleep(2000)
    const { accessPoints } = await storedSamples(engines)
    if (accessPoints === agents) return elapsedS()
    if (elapsedS() > 300)
      throw new Error(`${accessPoints} of ${agents} access points have sent a sample. Its log:\n${tail()}`)
  }
}

interface Run {
  environment: BenchEnvironment
  uplinks: readonly Uplink[]
  pid: number
  seconds: number
  outageS: number
  log: (line: string) => void
}

/** With both faults, and enough time after them to deliver what has waited. */
async function measure({ environment, uplinks, pid, seconds, outageS, log }: Run) {
  const startedAt = performance.now()
  const elapsedS = () => (performance.now() - startedAt) / 1000
  const until = (s: number) => sleep(Math.max(0, (s - elapsedS()) * 1000))
  const before = usageOf([pid])
  const seen: Usage[] = []
  const watching = setInterval(() => seen.push(usageOf([pid])), 1000)
  try {
    await until(0.2 * seconds)
    log(`${Math.round(elapsedS())} s: the broker is killed`)
    await environment.engines.kill('rabbitmq')
    await environment.engines.start('rabbitmq')
    log(`${Math.round(elapsedS())} s: the broker is up`)
    await until(0.5 * seconds)
    log(`${Math.round(elapsedS())} s: no network for ${outageS} s`)
    for (const uplink of uplinks) uplink.cut()
    await sleep(outageS * 1000)
    for (const uplink of uplinks) uplink.restore()
    await until(seconds)
  } finally {
    clearInterval(watching)
  }
  const after = usageOf([pid])
  if (after.cpuS === 0) throw new Error('the gateway has ended')
  const mib = (bytes: number) => bytes / 2 ** 20
  return {
    elapsedS: elapsedS(),
    cpuS: after.cpuS - before.cpuS,
    rssMib: mib(after.rssBytes),
    rssMaxMib: mib(Math.max(...seen.map(({ rssBytes }) => rssBytes))),
  }
}

/** Returns the number of samples that were not acknowledged when it ended: they are still on its disk. */
async function stop({ child, tail }: Gateway): Promise<number> {
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await ended
  const [, waiting] = /"stopped" waiting=(\d+)/.exec(tail()) ?? []
  if (waiting === undefined) throw new Error(`the gateway did not stop properly:\n${tail()}`)
  return Number(waiting)
}

function readBare(settingsFile: string, seconds: number): Promise<BareResult> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'bare/gateway.ts')], {
    env: { PATH: process.env['PATH'], SETTINGS_FILE: settingsFile, SECONDS: String(seconds) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      resolve(message as BareResult)
      child.kill('SIGKILL')
    })
    child.once('exit', (code) => reject(new Error(`the bare reads ended with ${code}`)))
  })
}
