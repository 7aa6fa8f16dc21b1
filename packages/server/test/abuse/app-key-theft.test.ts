import type { AuditRecord } from '@manc/contract'
import { admin, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'

const apps = '/api/v1/third_party_apps/'

async function register(environment: TestEnvironment, apiKey = `key-${uniqueName('long')}-tail`) {
  const app = { app_name: uniqueName('stolen'), api_key: apiKey, permissions: {} }
  expect((await environment.request('POST', apps, app)).status).toBe(200)
  return app
}

async function entriesOf(environment: TestEnvironment, requestId: string | null): Promise<AuditRecord[]> {
  const { body } = await environment.request('GET', '/api/v1/audit?limit=1000')
  return (body as AuditRecord[]).filter(({ request_id }) => request_id === requestId)
}

it('a stolen token of an app does not reveal the API key of the app', async ({ environment }) => {
  const app = await register(environment)
  const token = await tokenOf(environment.url, 'third_party_app', app.app_name, app.api_key)
  const { status, body } = await environment.request('GET', apps + app.app_name, undefined, token)
  expect([status, body.app_name, body.permissions]).toEqual([200, app.app_name, {}])
  expect(body.api_key).toBe(`********${app.api_key.slice(-4)}`)
})

it('a stolen token of an app with a short API key reveals no character of it', async ({ environment }) => {
  const app = await register(environment, 'short-key-15-ch')
  const token = await tokenOf(environment.url, 'third_party_app', app.app_name, app.api_key)
  const { body } = await environment.request('GET', apps + app.app_name, undefined, token)
  expect(body.api_key).toBe('********')
})

it('an administrator cannot read an API key without an audit entry', async ({ environment }) => {
  const app = await register(environment)
  const { body, headers } = await environment.request('GET', apps + app.app_name)
  expect(body.api_key).toBe(app.api_key)
  const entries = await entriesOf(environment, headers.get('x-request-id'))
  expect(entries).toMatchObject([
    { action: 'app.read-key', target: app.app_name, actor: admin.username, actor_kind: 'user', detail: {} },
  ])
})

it('an administrator cannot read an API key by a change of something else without an audit entry', async ({
  environment,
}) => {
  const app = await register(environment)
  const without = await environment.request('PUT', apps + app.app_name, {})
  expect(without.body.api_key).toBe(app.api_key)
  expect(await entriesOf(environment, without.headers.get('x-request-id'))).toMatchObject([
    { action: 'app.read-key', target: app.app_name },
  ])
  const other = await environment.request('PUT', apps + app.app_name, { permissions: { priority: 3 } })
  expect(await entriesOf(environment, other.headers.get('x-request-id'))).toMatchObject([
    { action: 'app.update', target: app.app_name, detail: { api_key: 'read' } },
  ])
  const known = await environment.request('PUT', apps + app.app_name, { api_key: app.api_key })
  expect(await entriesOf(environment, known.headers.get('x-request-id'))).toEqual([])
})

it('lists of applications contain no API key', async ({ environment }) => {
  const { api_key: key } = await register(environment)
  const { body } = await environment.request('GET', apps)
  expect(JSON.stringify(body)).not.toContain(key)
})
