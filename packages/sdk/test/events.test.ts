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
import { Manc } from '@manc/sdk'
import { afterAll, expect } from 'vitest'

const it = test.override('withServer', false)

let environment: TestEnvironment
let server: ServerProcess
let variables: Record<string, string>

it.beforeAll(async ({ environment: own }) => {
  environment = own
  // The same address after a restart.
  variables = { ...environment.variables, MANC_PORT: String(await closedPort()) }
  server = await startServerProcess(variables)
})

afterAll(async () => {
  await server?.stop('SIGKILL')
})

const insert = (apId: string, from: number, to: number) =>
  environment.sql(
    `insert into events (kind, severity, ap_id, data)
     select 'online', 'info', $1, json_build_object('n', n) from generate_series($2::int, $3::int) n order by n`,
    [apId, from, to - 1],
  )

it('events arrive once and in order although the server is killed while they are followed', async () => {
  // The start of a server takes long on a busy machine.
  const manc = new Manc({ url: server.url, credentials: admin, retryForMs: 120_000 })
  const apId = uniqueName('followed')
  const started = Promise.withResolvers<void>()
  const found: number[] = []
  const following = (async () => {
    const follow = manc.events.follow({ ap_id: apId, kind: ['online'], onStart: () => started.resolve() })
    for await (const { data } of follow) if (found.push(data['n'] as number) === 3000) break
  })()
  await started.promise
  await insert(apId, 0, 1000)
  await expect.poll(() => found.length, { timeout: 60_000 }).toBe(1000)
  await server.stop('SIGKILL')
  await insert(apId, 1000, 2000)
  server = await startServerProcess(variables)
  await insert(apId, 2000, 3000)
  await following
  expect(found).toEqual(Array.from({ length: 3000 }, (_, n) => n))
}, 180_000)

it('a slow reader gets all events, and no more than some frames of them are in memory', async () => {
  const manc = new Manc({ url: server.url, credentials: admin })
  const apId = uniqueName('slow')
  const started = Promise.withResolvers<void>()
  const follow = manc.events.follow({ ap_id: apId, onStart: () => started.resolve() })
  const first = follow.next()
  await started.promise
  await insert(apId, 0, 1)
  expect((await first).value?.data).toEqual({ n: 0 })
  // More frames than are buffered: the connection is closed, and opened again when the reader has caught up.
  await insert(apId, 1, 40_000)
  await sleep(0)
  const found: number[] = []
  for await (const { data } of follow) {
    if (found.push(data['n'] as number) === 39_999) break
    if (found.length % 1000 === 0) await sleep(1)
  }
  expect(found).toEqual(Array.from({ length: 39_999 }, (_, n) => n + 1))
}, 180_000)

it('a position that is not known is reported, and the stream starts now', async () => {
  const manc = new Manc({ url: server.url, credentials: admin })
  const apId = uniqueName('gap')
  const started = Promise.withResolvers<void>()
  let gaps = 0
  const follow = manc.events.follow({
    ap_id: apId,
    after: '1-1-1',
    onGap: () => (gaps += 1),
    onStart: () => started.resolve(),
  })
  const first = follow.next()
  await started.promise
  expect(gaps).toBe(1)
  await insert(apId, 7, 8)
  expect((await first).value?.data).toEqual({ n: 7 })
  await follow.return(undefined)
})

it('a refusal is thrown with its reason', async () => {
  const manc = new Manc({ url: server.url, credentials: admin })
  const username = uniqueName('blind')
  await manc.apps.register({ app_name: username, api_key: 'a-key', permissions: { listEvents: false } })
  const credentials = { loginType: 'third_party_app' as const, username, password: 'a-key' }
  const app = new Manc({ url: server.url, credentials })
  await expect(app.events.follow().next()).rejects.toMatchObject({ name: 'NotAllowed' })
})
