import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { type EngineSet, startSet } from '../../../../tools/engines/index.ts'
import { type Environment, makePlace } from '../harness.ts'
import { makeFleet } from '../load/fleet.ts'
import { runLoad } from '../load/run-load.ts'
import { judge } from '../load/verdict.ts'
import { type ServerProcess, startProcess } from '../process.ts'

const metrics = 20
let engines: EngineSet
let processes: Record<'api' | 'ingester', ServerProcess>
let environment: Environment
let folder: string

/** Engines of its own, the roles in processes of their own, as a site would run them. */
async function setUp(): Promise<void> {
  engines = await startSet({ name: 'telemetry', ephemeral: true })
  const place = await makePlace(engines.urls)
  environment = {
    ...place.environment,
    MANC_RABBITMQ_URL: engines.urls.rabbitmq,
    MANC_LOG_LEVEL: 'warn',
    MANC_RATE_AGENT_PER_MINUTE: '100000',
  }
  processes = { api: await start('api'), ingester: await start('ingester') }
  folder = mkdtempSync(path.join(tmpdir(), 'manc-load-'))
}

afterEach(async () => {
  for (const each of Object.values(processes ?? {})) await each.stop('SIGKILL')
  await engines?.down()
  rmSync(folder, { recursive: true, force: true })
})

function start(role: 'api' | 'ingester', httpPort = '0'): Promise<ServerProcess> {
  return startProcess(
    {
      ...environment,
      MANC_LOG_LEVEL: 'info',
      MANC_ROLES: role === 'api' ? 'api,subscriber' : 'ingester',
      ...(role === 'api' && { MANC_PORT: httpPort, MANC_INTERNAL_PORT: String(engines.ports.internal) }),
    },
    [],
  )
}

async function restart(role: 'api' | 'ingester'): Promise<void> {
  const { url } = processes[role]
  await processes[role].stop('SIGKILL')
  await sleep(1000)
  processes[role] = await start(role, role === 'api' ? new URL(url).port : '0')
}

interface Queues {
  ready: number
  unacknowledged: number
}

async function queues(): Promise<Queues> {
  const { origin, username, password } = new URL(engines.urls.rabbitmqManagement)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const answer = await fetch(`${origin}/api/queues/%2F`, { headers: { authorization } })
  const found = (await answer.json()) as {
    name: string
    messages_ready?: number
    messages_unacknowledged?: number
  }[]
  const telemetry = found.filter(({ name }) => name.startsWith('manc.telemetry.'))
  const sum = (pick: (queue: (typeof found)[number]) => number) =>
    telemetry.reduce((total, each) => total + pick(each), 0)
  return {
    ready: sum((queue) => queue.messages_ready ?? 0),
    unacknowledged: sum((queue) => queue.messages_unacknowledged ?? 0),
  }
}

async function underLoad(
  size: { mqtt: number; http: number },
  seconds: number,
  trouble: () => Promise<void>,
) {
  const fleet = await makeFleet(environment, 'load', size.mqtt + size.http)
  const ledger = path.join(folder, 'ledger')
  const load = runLoad({
    mqttUrl: engines.urls.mqtt,
    httpUrls: [processes.api.url],
    overMqtt: fleet.slice(0, size.mqtt),
    overHttp: fleet.slice(size.mqtt),
    metrics,
    everyMs: 1000,
    seconds,
    ledger,
  })
  await load.connected
  await trouble()
  await load.done
  const healedAt = Date.now()
  await expect.poll(async () => (await queues()).ready, { timeout: 30_000, interval: 1000 }).toBe(0)
  await expect.poll(async () => (await queues()).unacknowledged, { timeout: 60_000, interval: 1000 }).toBe(0)
  const verdict = await judge(ledger, engines.urls.victoria, 'load', metrics)
  return { ...verdict, settledAfterS: Math.round((Date.now() - healedAt) / 1000) }
}

describe('telemetry', () => {
  it('is stored exactly once, with its value and time, from 1,000 MQTT agents and 100 over HTTP', async () => {
    await setUp()
    const verdict = await underLoad({ mqtt: 1000, http: 100 }, 60, async () => {})
    console.log('report', JSON.stringify(verdict))
    expect(verdict).toMatchObject({ lost: 0, duplicated: 0, unexpected: 0 })
    expect(verdict.acknowledged).toBe(verdict.intended)
  }, 240_000)

  it('loses nothing that was acknowledged while every engine and process is killed in turn', async () => {
    await setUp()
    const verdict = await underLoad({ mqtt: 300, http: 50 }, 110, async () => {
      await sleep(20_000)
      await engines.kill('victoria')
      await sleep(2000)
      await engines.start('victoria')
      await sleep(15_000)
      await restart('ingester')
      await sleep(10_000)
      await engines.kill('rabbitmq')
      await engines.start('rabbitmq')
      await sleep(15_000)
      await restart('api')
      await sleep(5000)
      await engines.kill('postgres')
      await sleep(3000)
      await engines.start('postgres')
      await sleep(5000)
    })
    console.log('report', JSON.stringify(verdict))
    expect(verdict).toMatchObject({ lost: 0, duplicated: 0, unexpected: 0 })
    expect(verdict.acknowledged).toBeGreaterThan(verdict.intended * 0.5)
  }, 400_000)

  it('loses nothing while the metrics store stands still for 30 s and is then killed', async () => {
    await setUp()
    const verdict = await underLoad({ mqtt: 300, http: 20 }, 60, async () => {
      await sleep(10_000)
      await engines.pause('victoria')
      await sleep(30_000)
      await engines.resume('victoria')
      await sleep(3000)
      await engines.kill('victoria')
      await engines.start('victoria')
    })
    console.log('report', JSON.stringify(verdict))
    expect(verdict).toMatchObject({ lost: 0, duplicated: 0, unexpected: 0 })
  }, 300_000)
})
