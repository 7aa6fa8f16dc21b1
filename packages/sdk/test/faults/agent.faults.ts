import { setTimeout as sleep } from 'node:timers/promises'
import {
  admin,
  call,
  type IsolatedEnvironment,
  type ServerProcess,
  startServerProcess,
  tokenOf,
} from '@manc/harness'
import { testWithEngines } from '@manc/harness/fixture'
import { sized } from '@manc/harness/load'
import { connectAgent } from '@manc/sdk/agent'
import { afterAll, expect } from 'vitest'
import { Arrivals } from '../agent/arrivals.ts'

const it = testWithEngines.override('withServer', false)

const everyMs = 100
const outageMs = sized(120_000, 10_000)
const aroundMs = sized(20_000, 5000)
const apId = 'patient-1'

let environment: IsolatedEnvironment
let server: ServerProcess

it.beforeAll(async ({ environment: own }) => {
  environment = own
  server = await startServerProcess({ ...environment.variables, MANC_ROLES: 'api,subscriber,ingester' })
})

afterAll(async () => {
  await server?.stop()
}, 60_000)

/** Every point of the agent, as the store has it. */
async function stored(): Promise<{ timestamps: number[]; values: number[] }> {
  await (await fetch(new URL('/internal/force_flush', environment.engines.victoria))).text()
  const url = new URL('/api/v1/export', environment.engines.victoria)
  url.searchParams.set('match[]', `{__name__="seq",ap_id="${apId}"}`)
  url.searchParams.set('start', '-1d')
  const text = await (await fetch(url)).text()
  const lines = text.split('\n').filter((line) => line !== '')
  const series = lines.map((line) => JSON.parse(line))
  return {
    timestamps: series.flatMap(({ timestamps }) => timestamps),
    values: series.flatMap(({ values }) => values),
  }
}

it(`an agent that records ten times a second keeps recording while the broker is down for ${outageMs / 1000} s, and every sample arrives in order and is stored once`, {
  timeout: outageMs + 240_000,
}, async () => {
  const token = await tokenOf(server.url, 'user', admin.username, admin.password)
  const body = { ap_id: apId, password: 'a-password', configuration: {} }
  await call(server.url, 'POST', '/api/v1/agents/', { token, body })
  const arrivals = await Arrivals.watch(environment.engines.rabbitmq, apId)
  const agent = await connectAgent({
    url: server.url,
    mqttUrl: environment.engines.mqtt,
    apId,
    password: 'a-password',
    configuration: { telemetry_interval_s: 1 },
  })

  const recorded: number[] = []
  const enough = new AbortController()
  const record = async () => {
    const startMs = Date.now()
    for (let seq = 0; !enough.signal.aborted; seq++) {
      await sleep(Math.max(0, startMs + seq * everyMs - Date.now()))
      const ts = Math.max(Date.now(), (recorded.at(-1) ?? 0) + 1)
      agent.record({ seq }, ts)
      recorded.push(ts)
    }
  }
  const outage = async () => {
    await sleep(aroundMs)
    await environment.set.kill('rabbitmq')
    await sleep(outageMs)
    const mostWaiting = agent.waiting
    await environment.set.start('rabbitmq')
    const healedAt = Date.now()
    await expect.poll(() => agent.waiting, { timeout: 90_000, interval: 50 }).toBeLessThan(10)
    const caughtUpAfterMs = Date.now() - healedAt
    await sleep(aroundMs)
    return { mostWaiting, caughtUpAfterMs }
  }
  const [{ mostWaiting, caughtUpAfterMs }] = await Promise.all([
    outage().finally(() => enough.abort()),
    record(),
  ])
  await agent.stop({ withinMs: 30_000 })
  expect([agent.waiting, agent.dropped, agent.setAside]).toEqual([0, 0, 0])
  expect(mostWaiting).toBeGreaterThan((outageMs / everyMs) * 0.9)

  const messages = await arrivals.take()
  const arrived = messages.flat()
  // What was on its way when the broker died may come twice; it never comes before what is older.
  const firstTimes = [...new Map(arrived.map((sample) => [sample.payload['seq'], sample])).keys()]
  expect(firstTimes).toEqual(recorded.map((_, seq) => seq))
  await expect
    .poll(async () => (await stored()).timestamps.length, { timeout: 60_000, interval: 1000 })
    .toBeGreaterThanOrEqual(recorded.length)
  const { timestamps, values } = await stored()
  expect(timestamps).toEqual(recorded)
  expect(values).toEqual(recorded.map((_, seq) => seq))
  console.log('report', {
    recorded: recorded.length,
    mostWaiting,
    caughtUpAfterMs,
    messages: messages.length,
    largestBatch: Math.max(...messages.map((samples) => samples.length)),
    arrivedTwice: arrived.length - recorded.length,
  })
})
