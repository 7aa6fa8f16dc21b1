import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmulatorSpec, emulatedApId, exchanges, jobQueue } from '@manc/contract'
import type { PartMessage } from '@manc/contract/emulation-parts'
import { call, startServerProcess } from '@manc/harness'
import amqp from 'amqplib'
import { type Bench, median, percentile, rounded } from './bench.ts'
import { BareInsert } from './emulator/bare-insert.ts'
import type { Counted } from './emulator/sink.ts'
import { type BenchEnvironment, createBenchEnvironment } from './environment.ts'
import { usageOf } from './usage.ts'

const queue = jobQueue('emulator_spinup')
const agentsAPart = 1000
const apps = { app_name: 'emulator', api_key: 'a-key', permissions: { scopes: ['callbacks:post'] } }

/**
 * Spinning up 10,000 agents against the bare insert of the same rows; then one emulator with as many agents
 * into a sink; then emulator and controller on one machine.
 */
export const emulator: Bench = async ({ quick, minutes = 5, agents = 4000, log }) => {
  const environment = await createBenchEnvironment(log, { ownBroker: true })
  try {
    await call(environment.server.url, 'POST', '/api/v1/third_party_apps/', {
      token: environment.token,
      body: apps,
    })
    const request = await spinUps(environment, quick ? 1 : 5, log)
    const alone = await intoSink(environment, quick ? 2000 : 10_000, quick ? 10 : 30, log)
    const combined = await withController(environment, quick ? 200 : agents, quick ? 20 : minutes * 60, log)
    return { ...request, ...alone, ...combined }
  } finally {
    await environment.end()
  }
}

const technologies = ['5G', 'WiFi', 'LiFi'] as const

const specs = (count: number, perSpec: number, duration: number): EmulatorSpec[] =>
  Array.from({ length: count }, (_, n) => ({
    access_point_type: technologies[n % technologies.length] ?? '5G',
    num_access_points: perSpec,
    locations: ['Bristol'],
    num_devices: 20,
    duration,
  }))

/** 10 × 1,000 access points, and a bare insert of the same rows. The first of each is a warm-up. */
async function spinUps(environment: BenchEnvironment, rounds: number, log: (line: string) => void) {
  const bare = await BareInsert.open(environment.databaseUrl)
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const startedAt = performance.now()
    const { status, body } = await call(environment.server.url, 'POST', '/api/v1/emulator/spinup', {
      token: environment.token,
      body: { emulators: specs(10, 1000, 1) },
    })
    const tookMs = performance.now() - startedAt
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    // Publishing the parts to the broker is not measured in either.
    await sleep(1500)
    const bareMs = await bare.repeat(body.job_number)
    if (round > 0) {
      ours.push(tookMs)
      theirs.push(bareMs)
      log(`10,000 agents: ours ${Math.round(tookMs)} ms, bare ${Math.round(bareMs)} ms`)
    }
  }
  await bare.close()
  const connection = await amqp.connect(environment.engines.urls.rabbitmq)
  await (await connection.createChannel()).purgeQueue(queue)
  await connection.close()
  return {
    ratio: rounded(median(theirs) / median(ours), 3),
    spin_up_10000_ms: Math.round(median(ours)),
    bare_insert_10000_ms: Math.round(median(theirs)),
  }
}

function startEmulator(environment: BenchEnvironment, to: { url: string; mqttUrl: string }): ChildProcess {
  return spawn(process.execPath, [path.join(import.meta.dirname, '../packages/emulator/src/main.ts')], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      MANC_API_URL: to.url,
      MANC_MQTT_URL: to.mqttUrl,
      MANC_RABBITMQ_URL: environment.engines.urls.rabbitmq,
      MANC_EMULATOR_APP: apps.app_name,
      MANC_EMULATOR_KEY: apps.api_key,
    },
  })
}

/** The emulator without a controller. */
async function intoSink(
  environment: BenchEnvironment,
  agents: number,
  seconds: number,
  log: (line: string) => void,
) {
  const sink = fork(path.join(import.meta.dirname, 'emulator/sink.ts'), { execPath: process.execPath })
  const [to] = (await once(sink, 'message')) as [{ url: string; mqttUrl: string }]
  const counted = async () => {
    sink.send('count')
    return ((await once(sink, 'message')) as [Counted])[0]
  }
  await offer(environment.engines.urls.rabbitmq, agents)
  const running = startEmulator(environment, to)
  try {
    const startedAt = Date.now()
    while ((await counted()).connections < agents) {
      if (Date.now() > startedAt + 180_000) throw new Error('the agents did not all connect within 3 minutes')
      await sleep(1000)
    }
    const connectedAfterS = (Date.now() - startedAt) / 1000
    log(`${agents} agents connected after ${Math.round(connectedAfterS)} s`)
    await sleep(5000)
    await counted()
    const before = usageOf([running.pid ?? 0])
    const measuredAt = performance.now()
    await sleep(seconds * 1000)
    const { samples, jitterMs } = await counted()
    const tookS = (performance.now() - measuredAt) / 1000
    const after = usageOf([running.pid ?? 0])
    return {
      agents,
      connected_after_s: rounded(connectedAfterS, 1),
      samples_per_s: Math.round(samples / tookS),
      jitter_p50_ms: rounded(percentile(jitterMs, 0.5), 1),
      jitter_p99_ms: rounded(percentile(jitterMs, 0.99), 1),
      cpu_us_a_sample: rounded(((after.cpuS - before.cpuS) * 1e6) / samples, 1),
      kib_an_agent: rounded(after.rssBytes / 1024 / agents, 1),
    }
  } finally {
    running.kill('SIGKILL')
    sink.kill('SIGKILL')
  }
}

/** Part messages as the controller publishes them. */
async function offer(url: string, agents: number): Promise<void> {
  const connection = await amqp.connect(url)
  const channel = await connection.createConfirmChannel()
  const jobNumber = randomUUID()
  const parts = Math.ceil(agents / agentsAPart)
  for (let part = 1; part <= parts; part++) {
    const message: PartMessage = {
      job_number: jobNumber,
      task_type: 'emulator_spinup',
      data: {
        part,
        parts,
        begins_at: new Date().toISOString(),
        specs: Object.fromEntries(specs(3, 1, 3600).entries()),
        agents: Array.from({ length: Math.min(agentsAPart, agents - (part - 1) * agentsAPart) }, (_, n) => ({
          ap_id: emulatedApId('WiFi', jobNumber, (part - 1) * agentsAPart + n + 1),
          password: 'x',
          spec: n % 3,
          latitude: 51.45 + Math.floor(n / 32) / 3000,
          longitude: -2.58 + (n % 32) / 2000,
        })),
      },
    }
    channel.publish(exchanges.jobs, message.task_type, Buffer.from(JSON.stringify(message)))
  }
  await channel.waitForConfirms()
  await connection.close()
}

/** Emulator, broker, ingester and store on one machine: every acknowledged sample must be stored. */
async function withController(
  environment: BenchEnvironment,
  agents: number,
  seconds: number,
  log: (line: string) => void,
) {
  log(`${agents} agents with the controller for ${seconds} s …`)
  const ingester = await startServerProcess({ ...environment.variables, MANC_ROLES: 'ingester' })
  const running = startEmulator(environment, {
    url: environment.server.url,
    mqttUrl: environment.engines.urls.mqtt,
  })
  try {
    const perSpec = Math.ceil(agents / 10)
    const { body } = await call(environment.server.url, 'POST', '/api/v1/emulator/spinup', {
      token: environment.token,
      body: { emulators: specs(10, perSpec, seconds) },
    })
    const job = async () =>
      (
        await call(environment.server.url, 'GET', `/api/v1/jobs/${body.job_number}`, {
          token: environment.token,
        })
      ).body
    const deadline = Date.now() + (seconds + 120) * 1000
    while ((await job()).ended_at === null && Date.now() < deadline) await sleep(1000)
    const [message] = await environment.sql(
      'select data from mailbox where job_number = $1 order by seq desc limit 1',
      [body.job_number],
    )
    const [summary] = JSON.parse(message.data)
    await sleep(5000)
    const stored = await storedSamples(
      environment.engines.urls.victoria,
      body.job_number.slice(0, 8),
      seconds,
    )
    log(`${summary.samples} samples acknowledged, ${stored} stored`)
    return {
      together_agents: summary.agents,
      together_live: summary.live,
      together_seconds: seconds,
      together_time_to_full_s: summary.time_to_full_s,
      together_samples: summary.samples,
      together_of_due: rounded(summary.samples / (summary.agents * seconds), 3),
      together_lost: Math.max(0, summary.samples - stored),
    }
  } finally {
    running.kill('SIGKILL')
    await ingester.stop('SIGKILL')
  }
}

async function storedSamples(victoria: string, prefix: string, seconds: number): Promise<number> {
  const query = `sum(count_over_time({__name__="clients",ap_id=~"emu-.*-${prefix}-.*"}[${seconds + 300}s]))`
  await (await fetch(`${victoria}/internal/force_flush`)).text()
  const answer = await fetch(`${victoria}/api/v1/query?query=${encodeURIComponent(query)}`)
  const { data } = (await answer.json()) as { data: { result: { value: [number, string] }[] } }
  return Number(data.result[0]?.value[1] ?? 0)
}
