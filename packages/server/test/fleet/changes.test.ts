import type { FleetChanges } from '@manc/contract'
import { type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import pg from 'pg'
import { describe, expect } from 'vitest'

let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

const sql = (text: string, values: unknown[] = []) => environment.sql(text, values)

async function changes(after?: string, as = environment.adminToken): Promise<FleetChanges> {
  const query = after === undefined ? '' : `?after=${after}`
  const { status, body } = await environment.request('GET', `/api/v1/fleet/changes${query}`, undefined, as)
  expect(status).toBe(200)
  return body
}

/** Waits until no change is reported again: open transactions of other databases in the cluster hold the horizon back. */
async function mark(as = environment.adminToken): Promise<string> {
  let { next } = await changes(undefined, as)
  const reported = async () => {
    const { agents, removed, is_complete: isComplete, next: later } = await changes(next, as)
    next = later
    // Too many changes are not listed.
    return isComplete ? agents.length + removed.length : Number.POSITIVE_INFINITY
  }
  await expect.poll(reported, { timeout: 30_000 }).toBe(0)
  return next
}

async function register(apId: string, configuration: object = { technology: 'WiFi' }): Promise<string> {
  const body = { ap_id: apId, password: 'p', configuration }
  expect((await environment.request('POST', '/api/v1/agents/', body)).status).toBe(200)
  return apId
}

const idsIn = ({ agents }: FleetChanges) => agents.map(({ ap_id: apId }) => apId)

describe('the changes of the fleet', () => {
  it('start with a cursor and no agents', async () => {
    await register(uniqueName('first'))
    expect(await changes()).toEqual({
      agents: [],
      removed: [],
      is_complete: true,
      next: expect.stringMatching(/^\d+\.\d+\.\d+\.[\w-]{12}$/),
    })
  })

  it('do not contain agents that only have a new monitor', async () => {
    const [monitored, changed] = [
      await register(uniqueName('monitored')),
      await register(uniqueName('changed')),
    ]
    const start = await mark()
    const change = (what: string, apId: string) =>
      sql(`update fleet set ${what}, transaction_id = pg_current_xact_id() where ap_id = $1`, [apId])
    await change('keeper = gen_random_uuid()', monitored)
    await change(`state = 'online'`, changed)
    expect(idsIn(await changes(start))).toEqual([changed])
  })

  it('contain new agents, changed states and changed positions', async () => {
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
    await environment.request('PUT', `/api/v1/agents/${moved}`, body)
    const news = await changes(start)
    expect(news).toMatchObject({ is_complete: true })
    expect(idsIn(news).toSorted()).toEqual([added, gone, moved].toSorted())
    const of = (apId: string) => news.agents.find(({ ap_id: id }) => id === apId)
    expect(of(added)).toMatchObject({ technology: 'LiFi', name: 'Desk 4', state: 'offline' })
    expect(of(gone)).toMatchObject({ state: 'stale' })
    expect(of(moved)).toMatchObject({ position: { latitude: 51.5, longitude: -2.5 } })
  })

  it('include an update that was written before the cursor and committed after it', async () => {
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

  it('contain deleted agents, unless they were registered again', async () => {
    const [left, again] = [await register(uniqueName('left')), await register(uniqueName('again'))]
    const start = await mark()
    for (const apId of [left, again]) await remove(apId)
    await register(again)
    const news = await changes(start)
    expect(news.removed).toEqual([left])
    expect(idsIn(news)).toEqual([again])
  })

  it('include a deletion that was written before the cursor and committed after it', async () => {
    const apId = await register(uniqueName('going'))
    await mark()
    const { next } = await whileOpen('delete from agents where ap_id = $1', apId, async () => {
      await remove(await register(uniqueName('other')))
      return changes()
    })
    expect((await changes(next)).removed).toContain(apId)
  })

  it('are limited to the agents that an app sees, and start over when its permissions change', async () => {
    const name = uniqueName('app')
    const app = await newApp(name, { agents: ['seen-*'] })
    const next = await mark(app)
    const seen = await register(uniqueName('seen'))
    const unseen = await register(uniqueName('unseen'))
    expect(idsIn(await changes(next, app))).toEqual([seen])
    for (const apId of [seen, unseen]) await remove(apId)
    expect((await changes(next, app)).removed).toEqual([seen])
    const permissions = { agents: ['unseen-*'] }
    await environment.request('PUT', `/api/v1/third_party_apps/${name}`, { permissions })
    const other = await tokenOf(environment.url, 'third_party_app', name, key)
    expect(await changes(next, other)).toMatchObject(nothing)
    expect(await changes(next)).toMatchObject(nothing)
  })

  it('are forbidden for an app that may not list agents', async () => {
    const app = await newApp(uniqueName('app'), { listFleetAgents: false })
    expect((await environment.request('GET', '/api/v1/fleet/changes', undefined, app)).status).toBe(403)
  })

  const nothing = { agents: [], removed: [], is_complete: false }

  it('are incomplete when there are more than 5,000', async () => {
    const start = await mark()
    const prefix = uniqueName('many')
    await sql(many, [prefix, 5001])
    expect(await changes(start)).toMatchObject(nothing)
    const later = await mark()
    await sql('delete from agents where ap_id like $1', [`${prefix}%`])
    expect(await changes(later)).toMatchObject(nothing)
  })

  it('are complete with 3,000 new and 3,000 deleted agents', async () => {
    const [old, young] = [uniqueName('old'), uniqueName('young')]
    await sql(many, [old, 3000])
    const start = await mark()
    await sql('delete from agents where ap_id like $1', [`${old}%`])
    await sql(many, [young, 3000])
    const news = await changes(start)
    expect([news.is_complete, news.agents.length, news.removed.length]).toEqual([true, 3000, 3000])
  })

  it('are incomplete for a cursor of another database and for a very old one', async () => {
    const [transaction, at, table, view] = (await mark()).split('.')
    expect(await changes(`18446744073709551615.${at}.${table}.${view}`)).toMatchObject(nothing)
    expect(await changes(`${transaction}.${Number(at) - 2000}.${table}.${view}`)).toMatchObject(nothing)
    expect(await changes(`${transaction}.${at}.1.${view}`)).toMatchObject(nothing)
  })

  it('are not repeated endlessly after a database restore', async () => {
    const apId = await register(uniqueName('restored'))
    await sql(`update fleet set changed_in = '9000000000000000000'::xid8 where ap_id = $1`, [apId])
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
  expect((await environment.request('DELETE', `/api/v1/agents/${apId}`)).status).toBe(200)
}

const key = 'a-key-of-an-app'

/** Answers its token. */
async function newApp(name: string, permissions: object): Promise<string> {
  const body = { app_name: name, api_key: key, permissions }
  expect((await environment.request('POST', '/api/v1/third_party_apps/', body)).status).toBe(200)
  return tokenOf(environment.url, 'third_party_app', name, key)
}

/** What is done while a transaction has run this statement and has not committed; then it does. */
async function whileOpen<T>(statement: string, apId: string, work: () => Promise<T>): Promise<T> {
  const writer = new pg.Client({ connectionString: environment.databaseUrl })
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
