import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, startServerProcess } from '@manc/harness'
import { percentile, rounded } from '../bench.ts'
import { type BenchEnvironment, createBenchEnvironment } from '../environment.ts'
import { usageOf } from '../usage.ts'

const app = { app_name: 'emulator', api_key: 'a-key', permissions: { scopes: ['callbacks:post'] } }
const counts = { '5G': 100, WiFi: 600, LiFi: 300 }
const agents = 1000
/** They must have time to become live on a busy machine. */
const maxStartMs = 300_000

/** One world of 1,000 access points and 20,000 clients in real time, on one machine with the controller and the engines. */
export async function worldWithController(seconds: number, log: (line: string) => void) {
  const environment = await createBenchEnvironment(log, { ownBroker: true })
  let emulator: ChildProcess | undefined
  try {
    const { token, server } = environment
    await call(server.url, 'POST', '/api/v1/third_party_apps/', { token, body: app })
    const ingester = await startServerProcess({ ...environment.variables, MANC_ROLES: 'ingester' })
    try {
      emulator = startEmulator(environment)
      const prefix = await spinUp(environment)
      await untilLive(environment, log)
      const fromMs = Date.now()
      const before = usageOf([emulator.pid ?? 0])
      await sleep(seconds * 1000)
      const after = usageOf([emulator.pid ?? 0])
      const toMs = Date.now()
      // Samples on their way are stored.
      await sleep(5000)
      const intervals = await intervalsMs(environment.engines.urls.victoria, prefix, fromMs, toMs)
      const offBy = intervals.map((interval) => Math.abs(interval - 1000))
      return {
        with_controller_of_one_core: rounded((after.cpuS - before.cpuS) / ((toMs - fromMs) / 1000), 3),
        with_controller_samples_of_due: rounded(
          ((intervals.length + agents) * 1000) / (agents * (toMs - fromMs)),
          3,
        ),
        with_controller_late_p50_ms: Math.round(percentile(offBy, 0.5)),
        with_controller_late_p99_ms: Math.round(percentile(offBy, 0.99)),
        with_controller_mib: Math.round(after.rssBytes / 1024 / 1024),
      }
    } finally {
      emulator?.kill('SIGKILL')
      await ingester.stop('SIGKILL')
    }
  } finally {
    await environment.end()
  }
}

function startEmulator({ server, engines }: BenchEnvironment): ChildProcess {
  return spawn(process.execPath, [path.join(import.meta.dirname, '../../packages/emulator/src/main.ts')], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      MANC_API_URL: server.url,
      MANC_MQTT_URL: engines.urls.mqtt,
      MANC_RABBITMQ_URL: engines.urls.rabbitmq,
      MANC_EMULATOR_APP: app.app_name,
      MANC_EMULATOR_KEY: app.api_key,
    },
  })
}

/** Returns the beginning of the number of its job, which is part of the ids of its agents. */
async function spinUp({ server, token }: BenchEnvironment): Promise<string> {
  const emulators = Object.entries(counts).map(([type, count]) => ({
    access_point_type: type,
    num_access_points: count,
    locations: ['51.4586,-2.6025'],
    num_devices: 20,
    duration: 3600,
    scenario: 'steady',
    seed: 'bench',
  }))
  const { status, body } = await call(server.url, 'POST', '/api/v1/emulator/spinup', {
    token,
    body: { emulators },
  })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.job_number.slice(0, 8)
}

async function untilLive({ server, token }: BenchEnvironment, log: (line: string) => void): Promise<void> {
  const startedAt = Date.now()
  for (;;) {
    const { body } = await call(server.url, 'GET', '/api/v1/fleet/summary', { token })
    if (body.online >= agents) break
    if (Date.now() > startedAt + maxStartMs)
      throw new Error(`only ${body.online} agents are online after 5 minutes`)
    await sleep(500)
  }
  log(`${agents} agents live after ${Math.round((Date.now() - startedAt) / 1000)} s`)
}

/** Between samples of the same agent that follow each other. */
async function intervalsMs(
  victoria: string,
  prefix: string,
  fromMs: number,
  toMs: number,
): Promise<number[]> {
  await (await fetch(`${victoria}/internal/force_flush`)).text()
  const match = encodeURIComponent(`{__name__="clients",ap_id=~"emu-.*-${prefix}-.*"}`)
  const range = `start=${fromMs / 1000}&end=${toMs / 1000}`
  const answer = await fetch(`${victoria}/api/v1/export?match[]=${match}&${range}`)
  const lines = (await answer.text()).split('\n').filter((line) => line !== '')
  return lines.flatMap((line) => {
    const { timestamps } = JSON.parse(line) as { timestamps: number[] }
    return timestamps.slice(1).map((ts, n) => ts - (timestamps[n] ?? ts))
  })
}
