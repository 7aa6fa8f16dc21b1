import { readFileSync } from 'node:fs'
import { envelopeProtocol, socketPath } from '@manc/contract'
import {
  admin,
  call,
  type ServerProcess,
  startServerProcess,
  type TestEnvironment,
  tokenOf,
} from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { afterAll, expect } from 'vitest'
import WebSocket from 'ws'

const it = test.override('withServer', false)

const agents = 100_000
const mostGrowthMib = 100
let environment: TestEnvironment
let api: ServerProcess
let subscriber: ServerProcess
let token: string

it.beforeAll(async ({ environment: own }) => {
  environment = own
  api = await startServerProcess({ ...environment.variables, MANC_ROLES: 'api' })
  subscriber = await startServerProcess({
    ...environment.variables,
    MANC_ROLES: 'subscriber',
    MANC_API_URL: api.url,
  })
  token = await tokenOf(api.url, 'user', admin.username, admin.password)
  // A fifth of them first, as on a server that has been in use: its heap has grown to what such work needs. What more
  // agents add to it from there is what is measured.
  await register(0, agents / 5)
  await read()
  await register(agents / 5, agents)
})

async function register(from: number, to: number): Promise<void> {
  await environment.sql(`insert into agents (id, ap_id, password_hash, configuration)
     select gen_random_uuid(), 'ap-' || lpad(n::text, 6, '0'), 'x', json_build_object('technology', 'WiFi', 'name',
       'Access point ' || n, 'geolocation', json_build_object('latitude', 51.45, 'longitude', -2.58), 'note', repeat('x', 200))
     from generate_series(${from}, ${to - 1}) as n`)
}

afterAll(async () => {
  await subscriber?.stop()
  await api?.stop()
}, 60_000)

const residentMib = ({ pid }: ServerProcess) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Asks for all details and reads them, noting what each process has of memory meanwhile. */
async function read() {
  const path = '/api/v1/agent_details/request_all_agents_details'
  const { body } = await call(api.url, 'POST', path, { token })
  const before = [residentMib(api), residentMib(subscriber)]
  const peak = [...before]
  const watch = setInterval(() => {
    for (const [n, server] of [api, subscriber].entries())
      peak[n] = Math.max(peak[n] ?? 0, residentMib(server))
  }, 100)
  const socket = new WebSocket(
    `${api.url.replace('http', 'ws')}${socketPath}/${body.job_number}`,
    [envelopeProtocol],
    {
      headers: { authorization: `Bearer ${token}` },
    },
  )
  const startedAt = Date.now()
  let firstAfterMs = 0
  let stateAtFirst: Promise<string> | undefined
  let last = ''
  let count = 0
  let chunks = 0
  const closed = new Promise<number>((resolve, reject) => {
    socket.once('close', resolve).on('error', reject)
    socket.on('message', (data) => {
      const { seq, data: items } = JSON.parse((data as Buffer).toString())
      firstAfterMs ||= Date.now() - startedAt
      stateAtFirst ??= call(api.url, 'GET', `/api/v1/jobs/${body.job_number}`, { token }).then(
        (answer) => answer.body.state,
      )
      stateAtFirst.catch(reject)
      chunks += 1
      for (const { ap_id } of items) {
        if (ap_id <= last) reject(new Error(`${ap_id} comes after ${last}`))
        last = ap_id
        count += 1
      }
      socket.send(JSON.stringify({ type: 'ack', seq }))
    })
  })
  const code = await closed.finally(() => {
    clearInterval(watch)
    socket.close()
  })
  const growthMib = peak.map((mib, n) => Math.round(mib - (before[n] ?? 0)))
  return {
    code,
    count,
    chunks,
    firstAfterMs,
    allAfterMs: Date.now() - startedAt,
    stateAtFirst: await stateAtFirst,
    growthMib,
  }
}

it(`the details of ${agents} agents are delivered while the rest is still being read, with bounded memory`, async () => {
  const { growthMib, ...seen } = await read()
  // What this test is there to tell.
  process.stdout.write(`report ${JSON.stringify({ ...seen, growthMib })}\n`)
  expect(seen).toMatchObject({ code: 1000, count: agents, stateAtFirst: 'running' })
  expect(seen.chunks).toBeGreaterThan(100)
  expect(seen.firstAfterMs).toBeLessThan(seen.allAfterMs / 4)
  for (const mib of growthMib) expect(mib).toBeLessThanOrEqual(mostGrowthMib)
}, 300_000)
