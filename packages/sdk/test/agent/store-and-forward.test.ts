import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  admin,
  call,
  closedPort,
  type IsolatedEnvironment,
  type Replica,
  startReplica,
  tokenOf,
  uniqueName,
  type Variables,
} from '@manc/harness'
import { testWithEngines } from '@manc/harness/fixture'
import { type ConnectedAgent, type ConnectOptions, connectAgent, type Problem } from '@manc/sdk/agent'
import { afterAll, afterEach, describe, expect } from 'vitest'
import { Arrivals } from './arrivals.ts'

const it = testWithEngines.override('withServer', false)

const password = 'a-password'
const soon = { timeout: 30_000, interval: 100 }

let environment: IsolatedEnvironment
let variables: Variables
let server: Replica
let token: string
let folder: string
const agents: ConnectedAgent[] = []

it.beforeAll(async ({ environment: own }) => {
  environment = own
  // It comes back where it was.
  const port = String(await closedPort())
  variables = { ...environment.variables, MANC_ROLES: 'api,subscriber,ingester', MANC_PORT: port }
  server = await startReplica(variables)
  token = await tokenOf(server.url, 'user', admin.username, admin.password)
  folder = mkdtempSync(path.join(tmpdir(), 'manc-keep-'))
})

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.stop({ withinMs: 0 })
})

afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function register(apId: string): Promise<void> {
  const body = { ap_id: apId, password, configuration: {} }
  expect((await call(server.url, 'POST', '/api/v1/agents/', { token, body })).status).toBe(200)
}

async function connect(apId: string, more: Partial<ConnectOptions> = {}): Promise<ConnectedAgent> {
  const agent = await connectAgent({ url: server.url, apId, password, ...more })
  agents.push(agent)
  return agent
}

/** Whatever becomes of it, the next finds a server. */
async function withoutServer<T>(work: () => Promise<T>): Promise<T> {
  await server.stop()
  try {
    return await work()
  } finally {
    server = await startReplica(variables)
  }
}

const over = { mqtt: () => ({ mqttUrl: environment.engines.mqtt }), http: () => ({}) }

async function valuesOf(apId: string, metric = 'seq'): Promise<number[]> {
  const route = `/api/v1/metrics/agent_multi_metric_data?agent=${apId}&metrics=${metric}&window=1h`
  const { body } = await call(server.url, 'GET', route, { token })
  return body.series?.[0]?.points.map(({ value }: { value: number }) => value) ?? []
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

/** Samples that are as old as they have to be to have times of their own. */
function recordAll(agent: ConnectedAgent, values: number[], startMs: number): void {
  for (const seq of values) agent.record({ seq }, startMs + seq)
}

describe.each(['mqtt', 'http'] as const)('an agent with store-and-forward over %s', (channel) => {
  it('starts before the controller, onboards later, and delivers everything in order', async () => {
    const apId = uniqueName(`early-${channel}`)
    await register(apId)
    const arrivals = await Arrivals.watch(environment.engines.rabbitmq, apId)
    const agent = await withoutServer(async () => {
      const early = await connect(apId, { ...over[channel](), configuration: { technology: 'LiFi' } })
      recordAll(early, upTo(2000), Date.now() - 10_000)
      expect([early.waiting, early.dropped, early.connected]).toEqual([2000, 0, false])
      await expect.poll(() => early.problems.map(({ kind }) => kind), soon).toEqual(['unreachable'])
      return early
    })
    await expect.poll(() => agent.waiting, soon).toBe(0)
    expect([agent.problems, agent.connected]).toEqual([[], true])
    const messages = await arrivals.take()
    expect(messages.flat().map(({ payload }) => payload['seq'])).toEqual(upTo(2000))
    expect(messages.length, 'back-filled in batches').toBeLessThan(5)
    await expect.poll(() => valuesOf(apId), soon).toEqual(upTo(2000))
    const { body } = await call(server.url, 'GET', `/api/v1/agents/${apId}`, { token })
    expect(body.configuration).toEqual({ technology: 'LiFi' })
    agent.configure({ technology: 'WiFi' })
    await expect
      .poll(async () => (await call(server.url, 'GET', `/api/v1/agents/${apId}`, { token })).body, soon)
      .toMatchObject({ configuration: { technology: 'WiFi' } })
  }, 90_000)

  it('loses nothing and keeps the order when the broker is killed', async () => {
    const apId = uniqueName(`outage-${channel}`)
    await register(apId)
    const arrivals = await Arrivals.watch(environment.engines.rabbitmq, apId)
    const agent = await connect(apId, over[channel]())
    const startMs = Date.now() - 10_000
    recordAll(agent, upTo(100), startMs)
    await expect.poll(() => agent.waiting, soon).toBe(0)
    await environment.set.kill('rabbitmq')
    try {
      recordAll(agent, upTo(300).slice(100), startMs)
      expect(agent.waiting).toBe(200)
    } finally {
      await environment.set.start('rabbitmq')
    }
    await expect.poll(() => agent.waiting, { ...soon, timeout: 60_000 }).toBe(0)
    await expect.poll(() => valuesOf(apId), { ...soon, timeout: 60_000 }).toEqual(upTo(300))
    // One that was on its way when the broker died may come twice, and is stored once.
    const arrived = (await arrivals.take()).flat().map(({ payload }) => payload['seq'] ?? -1)
    const firstTimes = [...new Set(arrived)]
    expect(firstTimes.length).toBeGreaterThanOrEqual(100)
    expect(firstTimes).toEqual([...firstTimes].sort((a, b) => a - b))
  }, 150_000)

  it('continues where it was after a kill', async () => {
    const apId = uniqueName(`killed-${channel}`)
    await register(apId)
    const keep = { folder: path.join(folder, apId) }
    const startMs = Date.now() - 10_000
    await withoutServer(async () => {
      const child = startRecorder({ url: server.url, apId, password, keep, ...over[channel]() }, 500, startMs)
      await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
      child.kill('SIGKILL')
      await once(child, 'exit')
    })
    const agent = await connect(apId, { keep, ...over[channel]() })
    expect(agent.waiting).toBe(500)
    recordAll(agent, upTo(510).slice(500), startMs)
    await expect.poll(() => agent.waiting, soon).toBe(0)
    await expect.poll(() => valuesOf(apId), soon).toEqual(upTo(510))
  }, 90_000)

  it('stops when all is delivered or after its time limit, and keeps the rest on disk', async () => {
    const apId = uniqueName(`stopped-${channel}`)
    await register(apId)
    const keep = { folder: path.join(folder, apId) }
    const startMs = Date.now() - 10_000
    const first = await connect(apId, { keep, ...over[channel]() })
    recordAll(first, upTo(50), startMs)
    await first.stop({ withinMs: 20_000 })
    expect([first.waiting, readdirSync(keep.folder)]).toEqual([0, []])
    expect(() => first.record({})).toThrow('stopped')
    await withoutServer(async () => {
      const second = await connect(apId, { keep, ...over[channel]() })
      recordAll(second, upTo(80).slice(50), startMs)
      const before = performance.now()
      await second.stop({ withinMs: 700 })
      expect(performance.now() - before).toBeLessThan(5000)
      expect(second.waiting).toBe(30)
    })
    const third = await connect(apId, { keep, ...over[channel]() })
    expect(third.waiting).toBe(30)
    await third.stop({ withinMs: 20_000 })
    expect(third.waiting).toBe(0)
    await expect.poll(() => valuesOf(apId), soon).toEqual(upTo(80))
  }, 90_000)

  it('receives commands while it has nothing to send', async () => {
    const apId = uniqueName(`commanded-${channel}`)
    await register(apId)
    const agent = await connect(apId, {
      ...over[channel](),
      onCommand: ({ command }) => ({ received: command }),
    })
    await expect.poll(() => agent.connected, soon).toBe(true)
    const { body } = await call(server.url, 'POST', `/api/v1/send_command?agent_id=${apId}&command=blink`, {
      token,
    })
    await expect
      .poll(
        async () => (await call(server.url, 'GET', `/api/v1/jobs/${body.job_number}`, { token })).body.state,
        soon,
      )
      .toBe('succeeded')
  }, 90_000)

  it('reports a wrong password and connects when the password is corrected', async () => {
    const apId = uniqueName(`wrong-${channel}`)
    await register(apId)
    const problems: Problem[] = []
    const agent = await connect(apId, {
      ...over[channel](),
      password: 'not-yet',
      onProblem: (problem) => problems.push(problem),
    })
    agent.record({ seq: 0 })
    await expect.poll(() => problems.length, soon).toBe(1)
    expect(problems[0]?.kind).toBe('credentials')
    expect(problems[0]?.message).toContain(`does not let ${apId} in`)
    expect(problems[0]?.message).not.toContain('not-yet')
    await call(server.url, 'PUT', `/api/v1/agents/${apId}`, { token, body: { password: 'not-yet' } })
    await expect.poll(() => agent.waiting, { ...soon, timeout: 40_000 }).toBe(0)
    expect(agent.problems).toEqual([])
  }, 60_000)

  it('sets aside a sample that can never be sent and delivers the others', async () => {
    const apId = uniqueName(`odd-${channel}`)
    await register(apId)
    const problems: Problem[] = []
    const agent = await connect(apId, {
      ...over[channel](),
      onProblem: (problem) => problems.push(problem),
    })
    const startMs = Date.now() - 10_000
    recordAll(agent, upTo(20), startMs)
    agent.record({ text: 'x'.repeat(2 ** 20) })
    expect(problems.map(({ kind }) => kind)).toEqual(['refused'])
    recordAll(agent, upTo(40).slice(20), startMs)
    await expect.poll(() => agent.waiting, soon).toBe(0)
    expect([agent.setAside, agent.dropped]).toEqual([1, 0])
    await expect.poll(() => valuesOf(apId), soon).toEqual(upTo(40))
  }, 60_000)
})

it('an agent over HTTP sets aside exactly the samples that the controller rejects', async () => {
  const apId = uniqueName('refused')
  await register(apId)
  const refused: unknown[] = []
  const agent = await connect(apId, { onProblem: ({ sample }) => refused.push(sample) })
  const startMs = Date.now() - 10_000
  for (const seq of upTo(100)) {
    agent.record({ seq }, startMs + seq)
    // Before any retention.
    if (seq === 33 || seq === 77) agent.record({ seq }, seq * 1e9)
  }
  await expect.poll(() => agent.waiting, soon).toBe(0)
  expect(agent.setAside).toBe(2)
  expect(refused).toEqual([33, 77].map((seq) => ({ ts: seq * 1e9, payload: { seq } })))
  await expect.poll(() => valuesOf(apId), soon).toEqual(upTo(100))
}, 60_000)

it('a full buffer drops the oldest samples and reports how many', async () => {
  const apId = uniqueName('bounded')
  await register(apId)
  const problems: Problem[] = []
  const agent = await withoutServer(async () => {
    const bounded = await connect(apId, {
      keep: { bytes: 20_000, folder: path.join(folder, apId) },
      onProblem: (problem) => problems.push(problem),
    })
    recordAll(bounded, upTo(1000), Date.now() - 10_000)
    expect(bounded.waiting + bounded.dropped).toBe(1000)
    expect(bounded.waiting).toBeGreaterThan(200)
    expect(bounded.dropped).toBeGreaterThan(200)
    expect(problems.filter(({ kind }) => kind === 'full')).toHaveLength(1)
    return bounded
  })
  const kept = upTo(1000).slice(agent.dropped)
  await expect.poll(() => agent.waiting, soon).toBe(0)
  await expect.poll(() => valuesOf(apId), soon).toEqual(kept)
}, 60_000)

/** An agent in a process of its own, which tells when it has recorded all. */
function startRecorder(options: ConnectOptions, count: number, startMs: number): ChildProcess {
  const script = `
    import { connectAgent } from '@manc/sdk/agent'
    const agent = await connectAgent(${JSON.stringify(options)})
    for (let seq = 0; seq < ${count}; seq++) agent.record({ seq }, ${startMs} + seq)
    process.stdout.write('recorded')
    setInterval(() => {}, 1000)`
  return spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
