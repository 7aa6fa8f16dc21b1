import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  admin,
  brokerManagement,
  call,
  type ServerProcess,
  serverVariables,
  startServerProcess,
  tokenOf,
  uniqueName,
  type Variables,
} from '@manc/harness'
import { createFleet, type LoadProcess, sized, startLoad, waitUntilSettled } from '@manc/harness/load'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type EngineSet, type NodeName, startSet } from '../../../../tools/engines/index.ts'
import { StolenTime } from './abuse/stolen-time.ts'

const startMs = 360_000
/** How long the loss of one node may be felt. */
const failoverMs = 30_000

/** Of a request, while there is no primary. About 2 s, and more on a machine that runs the whole cluster. */
const slowestAllowedMs = 6_000

const stolen = new StolenTime()
/** Without the time for which the hypervisor gave the CPU to another machine. */
const msSince = (time: number) => Date.now() - time - stolen.msSince(time)

let engines: EngineSet
let variables: Variables
let processes: Record<'api' | 'ingester', ServerProcess>
let token: string
let folder: string
let load: LoadProcess | undefined
let stopWriting = () => {}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'manc-cluster-'))
  engines = await startSet({ name: 'cluster', ephemeral: true, cluster: true })
  variables = {
    ...serverVariables(engines.urls),
    MANC_LOG_LEVEL: 'info',
    MANC_RATE_AGENT_PER_MINUTE: '100000',
  }
  processes = {
    api: await startServerProcess({ ...variables, MANC_INTERNAL_PORT: String(engines.ports.internal) }),
    ingester: await startServerProcess({ ...variables, MANC_ROLES: 'ingester' }),
  }
  token = await tokenOf(processes.api.url, 'user', admin.username, admin.password)
}, startMs)

afterAll(async () => {
  stolen.stop()
  load?.kill()
  for (const each of Object.values(processes ?? {})) await each.stop('SIGKILL')
  await engines?.down()
  rmSync(folder, { recursive: true, force: true })
}, startMs)

/** Whatever was done to a node, no process may have died, lost track of a promise, or logged a password. */
afterEach(() => {
  stopWriting()
  const { password: ofDatabase } = new URL(engines.urlsOf('postgres-1').postgres)
  const { password: ofBroker } = new URL(engines.urlsOf('rabbitmq-1').rabbitmq)
  for (const each of Object.values(processes)) {
    const output = each.output()
    expect(each.process.exitCode).toBeNull()
    expect(output).not.toMatch(/unhandled|uncaught|"level":60/i)
    for (const secret of [ofDatabase, ofBroker]) expect(output).not.toContain(secret)
  }
})

interface Queue {
  type: string
  members: string[]
  leader: string
}

describe('a cluster', () => {
  it('has quorum queues with three members each, and leaders on more than one node', async () => {
    const found = await brokerManagement(engines.urlsOf('rabbitmq-2'), 'GET', '/api/queues/%2F')
    const queues = (found as Queue[]).filter(({ type }) => type === 'quorum')
    expect(queues.length).toBeGreaterThan(8)
    for (const { members } of queues) expect(new Set(members).size).toBe(3)
    expect(new Set(queues.map(({ leader }) => leader)).size).toBeGreaterThan(1)
  })
})

describe('PostgreSQL', () => {
  it(
    'keeps what was acknowledged when the primary is killed, and takes writes again within 30 s',
    async () => {
      await expectFailover({ lose: 'kill', restore: 'start' })
    },
    startMs,
  )

  it(
    'keeps what was acknowledged when the primary hangs, and takes writes again within 30 s',
    async () => {
      await expectFailover({ lose: 'pause', restore: 'resume' })
    },
    startMs,
  )

  it(
    'takes writes again within 30 s after the standby was killed',
    async () => {
      const standby = await engines.standby()
      const writes = startWriting()
      const lostAt = Date.now()
      await engines.kill(standby)
      await writes.nextAfter(Date.now())
      const tookMs = msSince(lostAt)
      console.log('report', JSON.stringify({ killed: standby, writesAfterS: seconds(tookMs) }))
      expect(tookMs).toBeLessThan(failoverMs)
      await engines.start(standby)
      expect(await engines.standby()).toBe(standby)
      await writes.expectAllKept()
    },
    startMs,
  )
})

const otherThan = (node: NodeName): NodeName => (node === 'postgres-1' ? 'postgres-2' : 'postgres-1')
const seconds = (ms: number) => Math.round(ms / 100) / 10

interface Loss {
  lose: 'kill' | 'pause'
  restore: 'start' | 'resume'
}

async function expectFailover({ lose, restore }: Loss): Promise<void> {
  const primary = await engines.primary()
  const writes = startWriting()
  await expect.poll(() => writes.acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(5)
  const lostAt = Date.now()
  await engines[lose](primary)
  await writes.nextAfter(Date.now())
  const tookMs = msSince(lostAt)
  console.log('report', JSON.stringify({ [lose]: primary, writesAfterS: seconds(tookMs) }))
  expect(tookMs).toBeLessThan(failoverMs)
  await engines[restore](primary)
  expect(await engines.standby()).toBe(primary)
  expect(await engines.primary()).toBe(otherThan(primary))
  await writes.expectAllKept()
}

/** Registers agents one after the other. Meanwhile the server answers, if only that it cannot: never with another error. */
function startWriting() {
  const acknowledged: { apId: string; beganAt: number }[] = []
  const unexpected: number[] = []
  let slowestMs = 0
  const stopping = new AbortController()
  stopWriting = () => stopping.abort()
  const api = (method: string, route: string, body?: unknown) =>
    call(processes.api.url, method, route, { token, ...(body !== undefined && { body }) })
  const write = async () => {
    const apId = uniqueName('written')
    const beganAt = Date.now()
    const { status } = await api('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration: {} })
    slowestMs = Math.max(slowestMs, msSince(beganAt))
    if (status === 200) acknowledged.push({ apId, beganAt })
    else if (status !== 503) unexpected.push(status)
  }
  const writing = (async () => {
    while (!stopping.signal.aborted) {
      await write()
      await sleep(50)
    }
  })()
  return {
    acknowledged,
    /** Until the first write that began after this time was acknowledged. */
    async nextAfter(time: number): Promise<void> {
      const next = () => acknowledged.find(({ beganAt }) => beganAt > time)
      await expect.poll(next, { timeout: 90_000, interval: 100 }).toBeDefined()
    },
    async expectAllKept(): Promise<void> {
      stopWriting()
      await writing
      expect(unexpected).toEqual([])
      console.log(
        'report',
        JSON.stringify({ acknowledged: acknowledged.length, slowestS: seconds(slowestMs) }),
      )
      expect(slowestMs).toBeLessThan(slowestAllowedMs)
      // A machine that runs the whole cluster may be too busy to answer. One that is lost stays lost.
      for (const { apId } of acknowledged)
        await expect
          .poll(async () => [apId, (await api('GET', `/api/v1/agents/${apId}`)).status])
          .toEqual([apId, 200])
    },
  }
}

describe('RabbitMQ', () => {
  it(
    'loses no acknowledged sample when the other nodes are killed one after the other',
    async () => {
      const metrics = 5
      const node = 'rabbitmq-2'
      const primary = engines.urlsOf(await engines.primary()).postgres
      const fleet = await createFleet({ ...variables, MANC_DATABASE_URL: primary }, 'load', sized(200, 60))
      const sampleLog = path.join(folder, 'samples')
      load = startLoad({
        mqttUrl: engines.urlsOf(node).mqtt,
        httpUrls: [processes.api.url],
        overMqtt: fleet,
        metrics,
        intervalMs: 1000,
        seconds: 600,
        sampleLog,
      })
      await load.connected
      await allStoredSince(Date.now(), fleet.length)
      for (const other of ['rabbitmq-1', 'rabbitmq-3'] as const) {
        const killedAt = Date.now()
        await engines.kill(other)
        await allStoredSince(killedAt + 1000, fleet.length)
        const tookMs = msSince(killedAt)
        console.log('report', JSON.stringify({ killed: other, telemetryAfterS: seconds(tookMs) }))
        expect(tookMs).toBeLessThan(failoverMs)
        await engines.start(other)
      }
      load.stopSending()
      await load.sent
      const healedAt = Date.now()
      await load.done
      const urls = { ...engines.urlsOf(node), victoria: engines.urls.victoria }
      const report = await waitUntilSettled({ urls, sampleLog, prefix: 'load', metrics, healedAt })
      console.log('report', JSON.stringify(report))
      expect(report).toMatchObject({ lost: 0, duplicated: 0, unexpected: 0 })
      expect(report.acknowledged).toBeGreaterThan(report.intended * 0.9)
    },
    startMs,
  )
})

/** Waits until the store has a sample of every agent that was taken after this time. */
async function allStoredSince(sinceMs: number, agents: number): Promise<void> {
  const query = `count(timestamp(metric_0{ap_id=~"load-.*"}) >= ${sinceMs / 1000})`
  const count = async () => {
    const url = `${engines.urls.victoria}/api/v1/query?query=${encodeURIComponent(query)}`
    const { data } = (await (await fetch(url)).json()) as { data: { result: { value: [number, string] }[] } }
    return Number(data.result[0]?.value[1] ?? 0)
  }
  await expect.poll(count, { timeout: 90_000, interval: 250 }).toBe(agents)
}
