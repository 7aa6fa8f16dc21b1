import type { FleetChanges } from '@manc/contract'
import {
  admin,
  call,
  createEnvironment,
  type Replica,
  sqlAt,
  startReplica,
  type TestEnvironment,
  tokenOf,
  uniqueName,
} from '@manc/harness'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

let environment: TestEnvironment
let server: Replica
let token: string

beforeAll(async () => {
  environment = await createEnvironment(inject('engines'))
  server = await startReplica(environment.variables)
  token = await tokenOf(server.url, 'user', admin.username, admin.password)
})

afterAll(async () => {
  await server?.stop()
  await environment?.drop()
})

const sql = (text: string, values: unknown[] = []) => sqlAt(database(), text, values)
const database = () => environment.databaseUrl

async function changes(after?: string, as = token): Promise<FleetChanges> {
  const query = after === undefined ? '' : `?after=${after}`
  const { status, body } = await call(server.url, 'GET', `/api/v1/fleet/changes${query}`, { token: as })
  expect(status).toBe(200)
  return body
}

/** Where nothing is told again: what runs beside it in the same cluster, also for others, keeps the horizon back. */
async function mark(as = token): Promise<string> {
  let { next } = await changes(undefined, as)
  const told = async () => {
    const { agents, removed, next: later } = await changes(next, as)
    next = later
    return agents.length + removed.length
  }
  await expect.poll(told, { timeout: 30_000 }).toBe(0)
  return next
}

async function register(apId: string, configuration: object = { technology: 'WiFi' }): Promise<string> {
  const body = { ap_id: apId, password: 'p', configuration }
  expect((await call(server.url, 'POST', '/api/v1/agents/', { token, body })).status).toBe(200)
  return apId
}

const idsIn = ({ agents }: FleetChanges) => agents.map(({ ap_id: apId }) => apId)

describe('the changes of the fleet', () => {
  it('are none to begin with, but where to begin', async () => {
    await register(uniqueName('first'))
    expect(await changes()).toEqual({
      agents: [],
      removed: [],
      is_complete: true,
      next: expect.stringMatching(/^\d+\.\d+\.\d+\.all$/),
    })
  })

  it('are agents that are new, that have another state, and that have another place', async () => {
    const [moved, gone, same] = [uniqueName('moved'), uniqueName('gone'), uniqueName('same')]
    for (const apId of [moved, gone, same]) await register(apId)
    const start = await mark()
    const added = await register(uniqueName('added'), { technology: 'LiFi', name: 'Desk 4' })
    await sql(
      `update fleet set state = 'stale', since = now(), transaction_id = pg_current_xact_id() where ap_id = $1`,
      [gone],
    )
    const configuration = { technology: 'WiFi', geolocation: { latitude: 51.5, longitude: -2.5 } }
    const body = { configuration }
    await call(server.url, 'PUT', `/api/v1/agents/${moved}`, { token, body })
    const news = await changes(start)
    expect(news).toMatchObject({ is_complete: true })
    expect(idsIn(news).toSorted()).toEqual([added, gone, moved].toSorted())
    const of = (apId: string) => news.agents.find(({ ap_id: id }) => id === apId)
    expect(of(added)).toMatchObject({ technology: 'LiFi', name: 'Desk 4', state: 'offline' })
    expect(of(gone)).toMatchObject({ state: 'stale' })
    expect(of(moved)).toMatchObject({ position: { latitude: 51.5, longitude: -2.5 } })
  })

  it('do not miss what was written before and committed after', async () => {
    const late = await register(uniqueName('late'))
    await mark()
    const { next } = await whileOpen(
      `update fleet set state = 'stale', transaction_id = pg_current_xact_id() where ap_id = $1`,
      late,
      async () => {
        // Begun later, and committed before it.
        await register(uniqueName('other'))
        const now = await changes()
        expect(idsIn(await changes(now.next))).not.toContain(late)
        return now
      },
    )
    expect(idsIn(await changes(next))).toContain(late)
  })

  it('are agents that are gone, unless they have come again', async () => {
    const [left, again] = [await register(uniqueName('left')), await register(uniqueName('again'))]
    const start = await mark()
    for (const apId of [left, again]) await remove(apId)
    await register(again)
    const news = await changes(start)
    expect(news.removed).toEqual([left])
    expect(idsIn(news)).toEqual([again])
  })

  it('do not miss who was removed before and is gone for others after', async () => {
    const apId = await register(uniqueName('going'))
    await mark()
    const { next } = await whileOpen('delete from agents where ap_id = $1', apId, async () => {
      await remove(await register(uniqueName('other')))
      return changes()
    })
    expect((await changes(next)).removed).toContain(apId)
  })

  it('are of the agents that an app sees, and begin anew where those are others', async () => {
    const name = uniqueName('app')
    const app = await newApp(name, { agents: ['seen-*'] })
    const next = await mark(app)
    const seen = await register(uniqueName('seen'))
    const unseen = await register(uniqueName('unseen'))
    expect(idsIn(await changes(next, app))).toEqual([seen])
    for (const apId of [seen, unseen]) await remove(apId)
    expect((await changes(next, app)).removed).toEqual([seen])
    const permissions = { agents: ['unseen-*'] }
    await call(server.url, 'PUT', `/api/v1/third_party_apps/${name}`, { token, body: { permissions } })
    const other = await tokenOf(server.url, 'third_party_app', name, key)
    expect(await changes(next, other)).toMatchObject(nothing)
    expect(await changes(next)).toMatchObject(nothing)
  })

  it('are not for an app that may not list the agents', async () => {
    const app = await newApp(uniqueName('app'), { listFleetAgents: false })
    expect((await call(server.url, 'GET', '/api/v1/fleet/changes', { token: app })).status).toBe(403)
  })

  const nothing = { agents: [], removed: [], is_complete: false }

  it('are not told where they are more than 5,000', async () => {
    const start = await mark()
    const prefix = uniqueName('many')
    await sql(many, [prefix, 5001])
    expect(await changes(start)).toMatchObject(nothing)
    const later = await mark()
    await sql('delete from agents where ap_id like $1', [`${prefix}%`])
    expect(await changes(later)).toMatchObject(nothing)
  })

  it('are told where many are new and many are gone', async () => {
    const [old, young] = [uniqueName('old'), uniqueName('young')]
    await sql(many, [old, 3000])
    const start = await mark()
    await sql('delete from agents where ap_id like $1', [`${old}%`])
    await sql(many, [young, 3000])
    const news = await changes(start)
    expect([news.is_complete, news.agents.length, news.removed.length]).toEqual([true, 3000, 3000])
  })

  it('are not told after a mark of another database, nor after a very old one', async () => {
    const [transaction, at, table, view] = (await mark()).split('.')
    expect(await changes(`18446744073709551615.${at}.${table}.${view}`)).toMatchObject(nothing)
    expect(await changes(`${transaction}.${Number(at) - 2000}.${table}.${view}`)).toMatchObject(nothing)
    expect(await changes(`${transaction}.${at}.1.${view}`)).toMatchObject(nothing)
  })

  it('of a database that was restored are not told again and again', async () => {
    const apId = await register(uniqueName('restored'))
    await sql(`update fleet set transaction_id = '9000000000000000000'::xid8 where ap_id = $1`, [apId])
    const { next } = await changes()
    expect(idsIn(await changes(next))).not.toContain(apId)
  })
})

const many = `
  with made as (
    insert into agents (id, ap_id, password_hash, configuration)
    select gen_random_uuid(), $1 || n, 'none', '{}' from generate_series(1, $2) n returning ap_id)
  insert into fleet (ap_id) select ap_id from made`

async function remove(apId: string): Promise<void> {
  expect((await call(server.url, 'DELETE', `/api/v1/agents/${apId}`, { token })).status).toBe(200)
}

const key = 'a-key-of-an-app'

/** Answers its token. */
async function newApp(name: string, permissions: object): Promise<string> {
  const body = { app_name: name, api_key: key, permissions }
  expect((await call(server.url, 'POST', '/api/v1/third_party_apps/', { token, body })).status).toBe(200)
  return tokenOf(server.url, 'third_party_app', name, key)
}

/** What is done while a transaction has run this statement and has not committed; then it does. */
async function whileOpen<T>(statement: string, apId: string, work: () => Promise<T>): Promise<T> {
  const writer = new pg.Client({ connectionString: database() })
  await writer.connect()
  try {
    await writer.query('begin')
    await writer.query(statement, [apId])
    const done = await work()
    await writer.query('commit')
    return done
  } finally {
    await writer.end()
  }
}
