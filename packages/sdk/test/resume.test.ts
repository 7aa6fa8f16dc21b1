import { setTimeout as sleep } from 'node:timers/promises'
import {
  admin,
  closedPort,
  type ServerProcess,
  startServerProcess,
  type TestEnvironment,
  uniqueName,
} from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { MetricsStore } from '@manc/harness/metrics-store'
import { Manc } from '@manc/sdk'
import { AgentHttp, sampleOf } from '@manc/sdk/agent'
import { afterAll, expect, inject } from 'vitest'
import { TcpProxy } from './tcp-proxy.ts'

const it = test.override('withServer', false)

let environment: TestEnvironment
let server: ServerProcess
let variables: Record<string, string>

it.beforeAll(async ({ environment: own }) => {
  environment = own
  // The same address after a restart.
  variables = { ...environment.variables, MANC_PORT: String(await closedPort()) }
  await startServer()
})

afterAll(async () => {
  await server?.stop('SIGKILL')
})

async function startServer(): Promise<void> {
  server = await startServerProcess(variables)
}

it('a history of 300,000 points arrives once and in order although the server is killed twice', async () => {
  const manc = new Manc({ url: server.url, credentials: admin })
  const store = new MetricsStore(inject('engines').victoria)
  const apId = `resume-${Date.now()}`
  await manc.agents.register({ ap_id: apId, password: 'a-password', configuration: {} })
  const start = Date.now() - 3_600_000
  const values = Array.from({ length: 10 }, (_, n) => [`m${n}`, n])
  const metrics = Object.fromEntries(values) as Record<string, number>
  const samples = Array.from({ length: 30_000 }, (_, n) => ({ at: start + n * 100, metrics }))
  await store.write(apId, samples)

  let points = 0
  let last = ''
  const seen = new Set<string>()
  for await (const { time, field } of manc.telemetry.history(apId, { from: new Date(start - 1000) })) {
    expect(time >= last).toBe(true)
    last = time
    seen.add(`${time} ${field}`)
    points += 1
    if (points === 60_000 || points === 150_000) {
      await server.stop('SIGKILL')
      await startServer()
    }
  }
  expect(points).toBe(300_000)
  expect(seen.size).toBe(300_000)
}, 180_000)

it('a request waits for a server that restarts', async () => {
  const manc = new Manc({ url: server.url, credentials: admin })
  await manc.logIn()
  await server.stop('SIGKILL')
  const [asked] = await Promise.allSettled([manc.users.me(), startServer()])
  expect(asked).toMatchObject({ status: 'fulfilled', value: { username: admin.username } })
}, 60_000)

it('a live subscription continues on a new connection when its connection stops forwarding', async () => {
  const direct = new Manc({ url: server.url, credentials: admin })
  const apId = uniqueName('far')
  await direct.agents.register({ ap_id: apId, password: 'a-password', configuration: {} })
  const agent = new AgentHttp({ url: server.url, apId, password: 'a-password' })
  const proxy = await TcpProxy.to(server.url)
  const done = new AbortController()
  let n = 0
  const send = async () => {
    while (!done.signal.aborted) {
      await agent.send([sampleOf({ n: n++ }, Date.now())])
      await sleep(500)
    }
  }
  const watch = async () => {
    const watching = new Manc({ url: proxy.url, credentials: admin })
    const live = watching.telemetry.watch([apId], { signal: done.signal })
    expect((await live.next()).value).toMatchObject({ agent_id: apId })
    proxy.freeze()
    const diedAt = n
    const seen = async () => Number((await live.next()).value?.values['n'])
    // What was on its way to us may still be read first.
    for (let last = await seen(); last <= diedAt + 2; ) last = await seen()
    expect(n).toBeGreaterThan(diedAt + 2)
  }
  const finish = () => {
    done.abort()
    proxy.close()
  }
  await Promise.all([send().finally(finish), watch().finally(finish)])
}, 180_000)
