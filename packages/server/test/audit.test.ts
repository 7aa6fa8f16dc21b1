import type { AuditRecord } from '@manc/contract'
import {
  admin,
  call,
  createEnvironment,
  type Replica,
  sqlAt,
  startReplica,
  type TestEnvironment,
  tokenOf,
} from '@manc/harness'
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

const sql = (text: string, values: unknown[] = []) => sqlAt(environment.databaseUrl, text, values)

async function list(query = ''): Promise<AuditRecord[]> {
  const { status, body } = await call(server.url, 'GET', `/api/v1/audit${query}`, { token })
  expect(status).toBe(200)
  return body
}

const actions = async (query: string) => (await list(query)).map(({ action }) => action)

async function pages(first: string): Promise<AuditRecord[]> {
  const found: AuditRecord[] = []
  let next: string | undefined = `/api/v1/audit${first}`
  for (let count = 0; next !== undefined && count < 100; count++) {
    const { body, headers } = await call(server.url, 'GET', next, { token })
    found.push(...body)
    next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
  }
  return found
}

describe('the record of changes', () => {
  const username = 'Someone@audit.test'

  beforeAll(async () => {
    const user = { username, password: 'some-password', roles: ['user'] }
    await call(server.url, 'POST', '/api/v1/users/', { token, body: user })
    await call(server.url, 'PUT', `/api/v1/users/${username}`, { token, body: { roles: ['operator'] } })
    const app = { app_name: 'steer_ing app', api_key: 'hidden-key', permissions: {} }
    await call(server.url, 'POST', '/api/v1/third_party_apps/', { token, body: app })
    await call(server.url, 'DELETE', `/api/v1/users/${username}`, { token })
  })

  it('is read with the newest first, and says who changed what', async () => {
    const [deleted, created, changed] = await list()
    expect(deleted).toMatchObject({ action: 'user.delete', target: username, actor: admin.username })
    expect(created).toMatchObject({ action: 'app.create', target: 'steer_ing app' })
    expect(changed).toEqual({
      id: expect.stringMatching(/^\d+$/),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      actor_kind: 'user',
      actor: admin.username,
      action: 'user.update',
      target: username,
      detail: { roles: { from: ['user'], to: ['operator'] } },
      request_id: expect.any(String),
    })
  })

  it('holds no secret', async () => {
    expect(JSON.stringify(await list())).not.toMatch(/some-password|hidden-key/)
  })

  it.each([
    ['?action=user.delete', ['user.delete']],
    ['?target=SOMEONE', ['user.delete', 'user.update', 'user.create']],
    ['?target=R_I', ['app.create']],
    ['?target=_', ['app.create']],
    ['?target=%25', []],
    ['?target=someone&action=user.update', ['user.update']],
    ['?actor=admin', []],
    [`?actor=${admin.username}&target=someone`, ['user.delete', 'user.update', 'user.create']],
    ['?from=2020-01-01&to=2020-01-02', []],
    ['?after=nothing', []],
    ['?after=999999999999', []],
    ["?target=' or 1=1 --", []],
  ])('answers %s', async (query, expected) => {
    expect(await actions(query)).toEqual(expected)
  })

  it('is read between two times, both included', async () => {
    await sql(`delete from audit where actor = 'old'`)
    await sql(`insert into audit (at, actor_kind, actor, action, target, detail)
      select '2021-03-01T00:00:00Z'::timestamptz + n * interval '1 hour', 'user', 'old', 'agent.update', 'a' || n, '{}'
      from generate_series(0, 4) n`)
    const found = await list('?from=2021-03-01T01:00:00Z&to=2021-03-01T03:00:00Z')
    expect(found.map(({ target }) => target)).toEqual(['a3', 'a2', 'a1'])
  })

  it('leads from page to page with the same filters, also where many have the same time', async () => {
    await sql(`delete from audit where actor = 'twin'`)
    await sql(`insert into audit (at, actor_kind, actor, action, target, detail)
      select '2021-04-01T00:00:00Z', 'user', 'twin', 'agent.update', 'twin-' || n, '{}' from generate_series(1, 7) n`)
    const found = await pages('?actor=twin&target=TWIN-&from=2021-01-01&to=2022-01-01&limit=3')
    expect(found.map(({ target }) => target)).toEqual([7, 6, 5, 4, 3, 2, 1].map((n) => `twin-${n}`))
  })
})

describe('with 100,000 records', () => {
  beforeAll(async () => {
    await sql(`insert into audit (at, actor_kind, actor, action, target, detail)
      select now() - n * interval '5 minutes', 'user', 'user-' || n % 500 || '@audit.test',
        case when n = 99000 then 'user.reset-password' else 'agent.command' end, 'ap-' || n, '{"command": "reboot"}'
      from generate_series(1, 100000) n`)
    await sql('analyze audit')
  }, 60_000)

  it.each([
    ['the newest', '', 100],
    ['those of one actor', '?actor=user-7@audit.test', 100],
    ['a rare action', '?action=user.reset-password', 1],
    ['those of an hour long ago', `?to=${new Date(Date.now() - 300 * 86_400_000).toISOString()}`, 100],
    ['one by part of its target', '?target=p-99999', 1],
  ])('%s are there at once', async (_, query, expected) => {
    await list(query)
    const startedAt = performance.now()
    expect(await list(query)).toHaveLength(expected)
    expect(performance.now() - startedAt).toBeLessThan(1000)
  })

  it('every filter but that of the target has an index', async () => {
    const filters = [
      ['true', 'audit_by_time'],
      [`actor = 'user-7@audit.test'`, 'audit_by_actor'],
      [`action = 'user.reset-password'`, 'audit_by_action'],
    ]
    for (const [filter, index] of filters) {
      const { rows } = await sql(
        `explain select * from audit where ${filter} and at < now() - interval '200 days'
         and (at, id) < (select at, id from audit where id = (select max(id) from audit))
         order by at desc, id desc limit 100`,
      )
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain(index)
      expect(plan).not.toContain('Seq Scan')
    }
  })
})
