import { setTimeout as sleep } from 'node:timers/promises'
import { closeCodes, type NetworkEvent } from '@manc/contract'
import { call, type Replica, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import pg from 'pg'
import { afterAll, describe, expect } from 'vitest'
import { StreamClient } from './stream-client.ts'

const it = test.override('variables', { MANC_USER_LIVE_SUBSCRIPTIONS: '2' })

let environment: TestEnvironment
let second: Replica
let writer: pg.Client
const clients: StreamClient[] = []
/** Open transactions of other databases in the cluster hold the horizon back. */
const soon = { timeout: 60_000, interval: 100 }

it.beforeAll(async ({ environment: own }) => {
  environment = own
  second = await environment.startServer()
  writer = new pg.Client({ connectionString: environment.databaseUrl })
  await writer.connect()
})
afterAll(async () => {
  for (const { socket } of clients) socket.terminate()
  await writer?.end()
})

interface Options {
  query?: string
  token?: string
  replica?: 0 | 1
}

async function follow({ query = '', token = environment.adminToken, replica = 0 }: Options = {}) {
  const client = await StreamClient.open(replica === 0 ? environment.url : second.url, token, query)
  clients.push(client)
  return client
}

const numbersOf = (events: readonly NetworkEvent[]) => events.map(({ data }) => data['n'] as number)
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

/** Whether a stream that starts now starts after the events of this agent. */
async function isBehind(apId: string): Promise<boolean> {
  const [row] = await environment.sql(
    'select bool_and(transaction_id < pg_snapshot_xmin(pg_current_snapshot())) as behind from events where ap_id = $1',
    [apId],
  )
  return row.behind
}

/** Events of one agent with the numbers `from` to `to` - 1, in one transaction. */
const insert = (apId: string, from: number, to: number, pad = 0) =>
  writer.query(
    `insert into events (kind, severity, ap_id, data)
     select 'online', 'info', $1, json_build_object('n', n, 'pad', repeat('x', $4)) from generate_series($2::int, $3::int) n order by n`,
    [apId, from, to - 1, pad],
  )

async function newUser(): Promise<{ id: string; name: string; token: string }> {
  const account = { username: `${uniqueName('user')}@manc.test`, password: 'user-password' }
  expect((await call(environment.url, 'POST', '/api/v1/users/signup', { body: account })).status).toBe(200)
  const token = await tokenOf(environment.url, 'user', account.username, account.password)
  const [{ id }] = await environment.sql('select id from users where username = $1', [account.username])
  return { id, name: account.username, token }
}

describe('the stream of events', () => {
  it('starts now, and sends the same records as the list', async () => {
    const apId = uniqueName('ap')
    await insert(apId, 0, 3)
    await expect.poll(() => isBehind(apId), soon).toBe(true)
    const client = await follow()
    expect(client.start).toMatchObject({ is_complete: true, after: expect.any(String) })
    await insert(apId, 3, 6)
    const own = () => client.events.filter((event) => event.ap_id === apId)
    await expect.poll(() => numbersOf(own()), soon).toEqual([3, 4, 5])
    const { body } = await environment.request('GET', `/api/v1/events?ap_id=${apId}&limit=3`)
    expect(own().toReversed()).toEqual(body)
  })

  it('resumes after an event, and before the first event, on another replica', async () => {
    const apId = uniqueName('resumed')
    const query = `?ap_id=${apId}`
    const first = await follow({ query })
    first.socket.terminate()
    await insert(apId, 0, 5)
    const next = await follow({ query: `${query}&after=${first.after}`, replica: 1 })
    expect(next.start).toMatchObject({ is_complete: true, after: first.after })
    await expect.poll(() => numbersOf(next.events), soon).toEqual(upTo(5))
    const last = await follow({ query: `${query}&after=${next.events[1]?.id}` })
    await expect.poll(() => numbersOf(last.events), soon).toEqual([2, 3, 4])
  })

  it('has no gap and no repeat for a follower that is disconnected while 1,000 events per second are appended', async () => {
    const apId = uniqueName('busy')
    const total = 6000
    const first = await follow({ query: `?ap_id=${apId}` })
    first.socket.terminate()
    let { after } = first
    let appended = 0
    const appending = (async () => {
      const startedAt = performance.now()
      while (appended < total) {
        await insert(apId, appended, appended + 50)
        appended += 50
        await sleep(Math.max(0, startedAt + appended - performance.now()))
      }
    })()
    const received: NetworkEvent[] = []
    for (let n = 0; received.length < total; n++) {
      const query = `?ap_id=${apId}&after=${after}`
      const client = await follow({ query, replica: n % 2 === 0 ? 0 : 1 })
      expect(client.start?.is_complete).toBe(true)
      // In the middle of the events that arrive.
      const isEnough = () => client.events.length > 0 && (client.events.length > 300 || appended >= total)
      await expect.poll(isEnough, soon).toBe(true)
      client.socket.terminate()
      received.push(...client.events)
      after = client.after
    }
    await appending
    expect(numbersOf(received)).toEqual(upTo(total))
    expect(new Set(received.map(({ id }) => id)).size).toBe(total)
  }, 240_000)

  it('includes the events of a transaction that commits late', async () => {
    const apId = uniqueName('late')
    const late = new pg.Client({ connectionString: environment.databaseUrl })
    await late.connect()
    try {
      await late.query('begin')
      await late.query(
        `insert into events (kind, severity, ap_id, data) values ('online', 'info', $1, '{"n": 0}')`,
        [apId],
      )
      // The stream starts while the transaction is open, and so does another one that commits before it.
      const client = await follow({ query: `?ap_id=${apId}` })
      await insert(apId, 1, 4)
      const resumed = await follow({ query: `?ap_id=${apId}&after=${client.after}`, replica: 1 })
      await late.query('commit')
      for (const each of [client, resumed])
        await expect.poll(() => numbersOf(each.events), soon).toEqual(upTo(4))
    } finally {
      await late.end()
    }
  })

  it('says that events are missing after an event that expired or is not of this database', async () => {
    const client = await follow()
    const [at = '', transaction, seq] = (client.after ?? '').split('-')
    const expired = (Number.parseInt(at, 36) - 40 * 86_400_000).toString(36)
    for (const after of [`${at}-${transaction}-zz`, `${expired}-${transaction}-${seq}`, `${at}-zzzzzzzz-0`])
      expect((await follow({ query: `?after=${after}` })).start?.is_complete).toBe(false)
    await expect(follow({ query: '?after=x' })).rejects.toThrow('422')
    await expect(follow({ query: '?kind=none' })).rejects.toThrow('422')
  })

  it('sends all events to a client that did not read for a while', async () => {
    const apId = uniqueName('slow')
    const client = await follow({ query: `?ap_id=${apId}` })
    const quick = await follow({ query: `?ap_id=${apId}` })
    client.socket.pause()
    const total = 20_000
    for (let n = 0; n < total; n += 1000) await insert(apId, n, n + 1000, 1000)
    await expect.poll(() => quick.events.length, soon).toBe(total)
    // On a slow machine that took longer than a client may take for a frame: then it has to connect again.
    let again: StreamClient | undefined
    void client.closed.then(async ({ code }) => {
      if (code === closeCodes.slow) again = await follow({ query: `?ap_id=${apId}&after=${client.after}` })
    })
    const found = () => [...client.events, ...(again?.events ?? [])]
    client.socket.resume()
    await expect.poll(() => found().length, soon).toBe(total)
    expect(numbersOf(found())).toEqual(upTo(total))
  }, 240_000)

  it('closes with a reason when its process stops, and continues on another', async () => {
    const apId = uniqueName('restart')
    const third = await environment.startServer()
    const client = await StreamClient.open(third.url, environment.adminToken, `?ap_id=${apId}`)
    clients.push(client)
    await third.stop()
    expect((await client.closed).code).toBe(closeCodes.restart)
    await insert(apId, 0, 2)
    const next = await follow({ query: `?ap_id=${apId}&after=${client.after}` })
    await expect.poll(() => numbersOf(next.events), soon).toEqual([0, 1])
  })
})

describe('a follower', () => {
  it('gets only events that it chose and may see', async () => {
    const owner = await newUser()
    const [seen, unseen, emulated] = [uniqueName('seen'), uniqueName('unseen'), uniqueName('seen-emulated')]
    const app = { app_name: uniqueName('app'), api_key: 'a-key', permissions: { agents: ['seen-*'] } }
    await environment.request('POST', '/api/v1/third_party_apps/', app)
    const appToken = await tokenOf(environment.url, 'third_party_app', app.app_name, app.api_key)
    const [ofApp, ofOwner, ofAdmin, critical] = [
      await follow({ token: appToken }),
      await follow({ token: owner.token }),
      await follow({ query: '?emulated=all' }),
      await follow({ query: '?severity=critical&kind=offline' }),
    ]
    const add = (kind: string, severity: string, apId: string | null, by: string | null = null) =>
      environment.sql(
        `insert into events (kind, severity, ap_id, emulated_by, data) values ($1, $2, $3, $4, '{}')`,
        [kind, severity, apId, by],
      )
    await add('online', 'info', seen)
    await add('offline', 'critical', unseen)
    await add('online', 'info', emulated, owner.id)
    await add('admin_login', 'info', null)
    await add('offline', 'critical', seen)
    const names = (client: StreamClient) =>
      client.events
        .filter(
          ({ kind, ap_id: apId }) => kind === 'admin_login' || [seen, unseen, emulated].includes(apId ?? ''),
        )
        .map(({ kind, ap_id: apId }) => `${kind} ${apId}`)
    const last = `offline ${seen}`
    await expect
      .poll(() => names(ofAdmin), soon)
      .toEqual([`online ${seen}`, `offline ${unseen}`, `online ${emulated}`, 'admin_login null', last])
    await expect.poll(() => names(ofApp), soon).toEqual([`online ${seen}`, last])
    await expect
      .poll(() => names(ofOwner), soon)
      .toEqual([`online ${seen}`, `offline ${unseen}`, `online ${emulated}`, last])
    await expect.poll(() => names(critical), soon).toEqual([`offline ${unseen}`, last])
  })

  it('is refused beyond the limit of live subscriptions, until one is closed', async () => {
    const { token } = await newUser()
    const open = [await follow({ token }), await follow({ token })]
    await expect(follow({ token })).rejects.toThrow('429')
    open[0]?.socket.close()
    await open[0]?.closed
    const again = () =>
      follow({ token }).then(
        ({ socket }) => socket.readyState === socket.OPEN,
        () => false,
      )
    await expect.poll(again, soon).toBe(true)
  })

  it('is disconnected when its token is revoked', async () => {
    const { name, token } = await newUser()
    const client = await follow({ token })
    await environment.request('DELETE', `/api/v1/users/${name}`)
    expect((await client.closed).code).toBe(closeCodes.tokenEnded)
  })

  it('from another origin is refused', async () => {
    const answer = await fetch(`${environment.url}/api/v1/events/stream`, {
      headers: { authorization: `Bearer ${environment.adminToken}`, origin: 'https://elsewhere.test' },
    })
    expect(answer.status).toBe(403)
  })
})
