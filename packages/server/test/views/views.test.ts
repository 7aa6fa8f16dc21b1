import type { View } from '@manc/contract'
import { type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'

const limit = 3
const it = test.override('variables', { MANC_VIEWS_PER_USER: String(limit) })

let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

const given = {
  name: 'Broken',
  columns: ['health', 'name', 'reason', 'load_pct'],
  sort: 'load_pct',
  order: 'desc',
  filters: { health: ['bad', 'degraded'], q: 'hall' },
}

async function newUser(roles: string[] = []): Promise<{ token: string; username: string }> {
  const username = `${uniqueName('viewer')}@manc.test`
  await environment.request('POST', '/api/v1/users/', { username, password: 'a-password', roles })
  return { username, token: await tokenOf(environment.url, 'user', username, 'a-password') }
}

const send = (token: string, method: string, path = '', body?: unknown) =>
  environment.request(method, `/api/v1/views${path}`, body, token)

async function save(token: string, more: object = {}): Promise<View> {
  const { status, body } = await send(token, 'POST', '', { ...given, ...more })
  expect(status).toBe(200)
  return body
}

const listed = async (token: string): Promise<string[]> =>
  (await send(token, 'GET')).body.map(({ id }: View) => id)

describe('views of the table', () => {
  it('are saved, changed and deleted by their owner', async () => {
    const { token, username } = await newUser()
    const view = await save(token)
    expect(view).toEqual({
      id: expect.any(String),
      ...given,
      shared: false,
      created_by: username,
      is_own: true,
      updated_at: expect.any(String),
    })
    expect((await send(token, 'GET', `/${view.id}`)).body).toEqual(view)
    const changed = await send(token, 'PUT', `/${view.id}`, { name: 'Busy', columns: ['name', 'name'] })
    expect(changed.body).toMatchObject({ name: 'Busy', columns: ['name'], sort: 'health', filters: {} })
    expect((await send(token, 'DELETE', `/${view.id}`)).status).toBe(200)
    expect((await send(token, 'GET', `/${view.id}`)).status).toBe(404)
  })

  it('are private until they are shared', async () => {
    const [owner, other] = [await newUser(), await newUser()]
    const view = await save(owner.token)
    expect(await listed(other.token)).not.toContain(view.id)
    for (const method of ['GET', 'DELETE'])
      expect((await send(other.token, method, `/${view.id}`)).status).toBe(404)
    await send(owner.token, 'PUT', `/${view.id}`, { ...given, shared: true })
    expect(await listed(other.token)).toContain(view.id)
    const seen = (await send(other.token, 'GET', `/${view.id}`)).body
    expect(seen).toMatchObject({ shared: true, is_own: false, created_by: owner.username })
    const { status, body } = await send(other.token, 'PUT', `/${view.id}`, given)
    expect([status, body.detail]).toEqual([403, expect.stringContaining('Save it as one of your own')])
    expect((await send(other.token, 'DELETE', `/${view.id}`)).status).toBe(403)
    expect((await send(environment.adminToken, 'DELETE', `/${view.id}`)).status).toBe(200)
  })

  it('are listed in pages, the newest first', async () => {
    const { token } = await newUser()
    const ids = [await save(token), await save(token), await save(token)].map(({ id }) => id).toReversed()
    const own = (page: View[]) => page.filter(({ is_own: isOwn }) => isOwn).map(({ id }) => id)
    const first = await send(token, 'GET', '?limit=2')
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await environment.request('GET', next, undefined, token)
    expect([...own(first.body), ...own(second.body)]).toEqual(ids)
    expect((await send(token, 'GET', '?after=first')).status).toBe(422)
  })

  it('are limited for each user, also if they are saved at the same time', async () => {
    const { token } = await newUser()
    const answers = await Promise.all(Array.from({ length: limit + 3 }, () => send(token, 'POST', '', given)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(limit)
    const refused = answers.find(({ status }) => status !== 200)
    expect([refused?.status, refused?.body.detail]).toEqual([409, 'You have 3 views. Delete one first.'])
    const [id] = await listed(token)
    await send(token, 'DELETE', `/${id}`)
    await save(token)
  })

  it('are deleted with their owner', async () => {
    const { token, username } = await newUser()
    const { id } = await save(token, { shared: true })
    expect(await listed(environment.adminToken)).toContain(id)
    await environment.request('DELETE', `/api/v1/users/${username}`)
    expect(await listed(environment.adminToken)).not.toContain(id)
  })
})
