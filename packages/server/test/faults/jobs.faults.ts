import { setTimeout as sleep } from 'node:timers/promises'
import {
  admin,
  call,
  createEnvironment,
  type ServerProcess,
  startServerProcess,
  tokenOf,
  type Variables,
} from '@manc/harness'
import { createJobRequests, isQuick, JobCallers, type JobRequest, summarize } from '@manc/harness/load'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EngineName, type EngineSet, startSet } from '../../../../tools/engines/index.ts'

/** With MANC_QUICK a smaller size of the same, which takes about a minute. */
const size = isQuick
  ? { requestsPerSecond: 10, mailboxes: 60, messageIntervalMs: 5000, pauseMs: 2500 }
  : { requestsPerSecond: 20, mailboxes: 200, messageIntervalMs: 10_000, pauseMs: 8000 }
const mostRecoveryS = 30
/** Far longer than is allowed, so that a failure tells how late it was. */
const patienceS = 75

type Name = 'api1' | 'api2' | 'subscriber1' | 'subscriber2'

let engines: EngineSet
let variables: Variables
const servers = new Map<Name, ServerProcess>()
let urls: string[]
let token: string
let requests: JobRequest[]
let callers: JobCallers

/** The roles in processes of their own. Each subscriber posts to another api: with it away, it has to try again. */
async function start(name: Name): Promise<ServerProcess> {
  const before = servers.get(name)?.url ?? ''
  const isApi = name.startsWith('api')
  const server = await startServerProcess({
    ...variables,
    MANC_ROLES: isApi ? 'api' : 'subscriber',
    // Where it was before.
    ...(isApi && { MANC_PORT: before === '' ? '0' : new URL(before).port }),
    ...(!isApi && { MANC_API_URL: servers.get(name === 'subscriber1' ? 'api1' : 'api2')?.url ?? '' }),
  })
  // All that it has logged would be kept and searched again with each line, and it logs every refusal.
  server.process.stdout?.removeAllListeners('data').resume()
  servers.set(name, server)
  return server
}

beforeAll(async () => {
  engines = await startSet({ name: 'jobs', ephemeral: true })
  variables = {
    ...(await createEnvironment(engines.urls)).variables,
    MANC_DATABASE_CONNECTIONS: '20',
    MANC_RATE_CALLER_PER_MINUTE: '1000000000',
    MANC_RATE_ANONYMOUS_PER_MINUTE: '1000000000',
    MANC_JOBS_PER_HOUR: '1000000000',
  }
  urls = [(await start('api1')).url, (await start('api2')).url]
  for (const name of ['subscriber1', 'subscriber2'] as const) await start(name)
  requests = await createJobRequests(variables)
  token = await makeUser(urls[0] ?? '')
})

afterAll(async () => {
  callers?.close()
  for (const server of servers.values()) await server.stop('SIGKILL')
  await engines?.down()
})

/** An administrator: it also posts messages to mailboxes. */
async function makeUser(url: string): Promise<string> {
  const user = { username: 'caller@jobs.test', password: 'a-password' }
  const adminToken = await tokenOf(url, 'user', admin.username, admin.password)
  await call(url, 'POST', '/api/v1/users/', { token: adminToken, body: { ...user, roles: ['admin'] } })
  return tokenOf(url, 'user', user.username, user.password)
}

/** All at once, so that none goes on with what another had. */
async function restart(...names: Name[]): Promise<void> {
  await Promise.all(names.map(async (name) => servers.get(name)?.stop('SIGKILL')))
  await sleep(1000)
  await Promise.all(names.map((name) => start(name)))
}

async function killAndStart(engine: EngineName): Promise<void> {
  await engines.kill(engine)
  await sleep(2000)
  await engines.start(engine)
}

/** Longer than our server waits for an answer: it has given up on what the database then does all the same. */
async function standStill(engine: EngineName): Promise<void> {
  await engines.pause(engine)
  await sleep(5000)
  await engines.resume(engine)
}

/** How many sockets of mailboxes there are once all are, or when that has taken too long. */
async function allConnected(): Promise<number> {
  const until = Date.now() + mostRecoveryS * 1000
  while (callers.connected < size.mailboxes && Date.now() < until) await sleep(50)
  return callers.connected
}

type Troubles = Record<string, () => Promise<void>>

/** Callers go on through all of them, and stop when the last is over. */
async function through(errors: Troubles) {
  callers = new JobCallers({ urls, token, requests, ...size })
  await callers.start()
  const healedAt: Record<string, number> = {}
  const connected: number[] = []
  for (const [name, trouble] of Object.entries(errors)) {
    await sleep(size.pauseMs)
    connected.push(await allConnected())
    await trouble()
    healedAt[name] = Date.now()
  }
  const lastHealedAt = Date.now()
  const since = () => Math.round((Date.now() - lastHealedAt) / 100) / 10
  await callers.stopRequests()
  while (!callers.isAllRead && since() < patienceS) await sleep(100)
  const recoveryS = since()
  // What comes twice may come late.
  await sleep(2000)
  callers.close()
  return { recovery_s: recoveryS, ...summarize(callers, healedAt), connected }
}

/** The report is printed, since it is what this suite is run for. */
function expectAllKept(report: Awaited<ReturnType<typeof through>>): void {
  console.log('report', JSON.stringify(report))
  expect(report).toMatchObject({ stuck: 0, wrong: 0, duplicated: 0, gaps: 0 })
  expect(report).toMatchObject({ messages_lost: 0, messages_duplicated: 0, messages_out_of_order: 0 })
  expect(Object.keys(report.reasons), 'a failure without a reason').not.toContain('')
  expect(report.recovery_s).toBeLessThan(mostRecoveryS)
  // Outages are 5xx or no answer at all. What is the caller's own is never unknown or forbidden.
  expect(Object.keys(report.errors).filter((trouble) => / 4\d\d$/.test(trouble))).toEqual([])
  expect(report.fewest_chunks, 'an answer of one chunk would show nothing').toBeGreaterThan(1)
  expect(report.answered).toBeGreaterThan(report.requested * 0.95)
  expect(report.connected, 'sockets before each trouble').toEqual(report.connected.map(() => size.mailboxes))
  for (const [name, { process }] of servers)
    expect(process.exitCode ?? process.signalCode, `how ${name} ended`).toBeNull()
}

it('every accepted job ends with its full result or a stated failure, whichever process is killed', async () => {
  const report = await through({
    api: () => restart('api1'),
    subscriber: () => restart('subscriber1'),
    rabbitmq: () => killAndStart('rabbitmq'),
    postgres: () => killAndStart('postgres'),
    subscribers: () => restart('subscriber1', 'subscriber2'),
  })
  expectAllKept(report)
}, 240_000)

it.skipIf(isQuick)(
  'no message is delivered twice when PostgreSQL hangs and completes abandoned statements late',
  async () => {
    expectAllKept(await through({ postgres: () => standStill('postgres') }))
  },
  180_000,
)
