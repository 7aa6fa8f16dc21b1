import { call, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test as base } from '@manc/harness/fixture'
import { expect } from 'vitest'

const it = base.override('variables', {
  MANC_CONFIGURATION_VERSIONS: '4',
  MANC_CONFIGURATION_VERSIONS_BYTES: '30000',
})

async function createAgent(environment: TestEnvironment, configuration: object): Promise<string> {
  const apId = uniqueName('versions')
  const agent = { ap_id: apId, password: 'a-password', configuration }
  expect((await environment.request('POST', '/api/v1/agents/', agent)).status).toBe(200)
  return apId
}

const versionsOf = async (environment: TestEnvironment, apId: string) =>
  (await environment.request('GET', `/api/v1/agents/${apId}/configurations`)).body as {
    version: number
    author: string | null
    author_kind: string | null
    current: boolean
    bytes: number
  }[]

const versionOf = (environment: TestEnvironment, apId: string, version: number | string) =>
  environment.request('GET', `/api/v1/agents/${apId}/configurations/${version}`)

const configure = async (environment: TestEnvironment, apId: string, configuration: object) =>
  expect((await environment.request('PUT', `/api/v1/agents/${apId}`, { configuration })).status).toBe(200)

it('each change is a version with its author, and an earlier one can be restored', async ({
  environment,
}) => {
  const apId = await createAgent(environment, { name: 'first', n: 1.0 })
  await configure(environment, apId, { name: 'second' })
  // The same configuration is no change.
  await configure(environment, apId, { name: 'second' })
  const token = await tokenOf(environment.url, 'agent', apId, 'a-password')
  await call(environment.url, 'POST', '/api/v1/agent_update/update', {
    token,
    body: { configuration: { name: 'by itself' } },
  })
  expect(await versionsOf(environment, apId)).toMatchObject([
    { version: 3, author_kind: 'agent', author: apId, current: true },
    { version: 2, author_kind: 'user', author: 'admin@manc.test', current: false },
    { version: 1, author_kind: 'user', author: 'admin@manc.test', current: false },
  ])
  const first = (await versionOf(environment, apId, 1)).body
  expect(first).toMatchObject({ version: 1, current: false, configuration: { name: 'first' } })
  await configure(environment, apId, first.configuration)
  expect((await versionOf(environment, apId, 4)).body).toMatchObject({
    current: true,
    configuration: first.configuration,
  })
})

it('the oldest versions are deleted beyond the number and the size', async ({ environment }) => {
  const apId = await createAgent(environment, { n: 0 })
  for (let n = 1; n <= 6; n++) await configure(environment, apId, { n })
  const numbers = async () => (await versionsOf(environment, apId)).map(({ version }) => version)
  expect(await numbers()).toEqual([7, 6, 5, 4])
  expect((await versionOf(environment, apId, 3)).status).toBe(404)
  // Two are kept however large they are.
  await configure(environment, apId, { text: 'a'.repeat(20_000) })
  expect(await numbers()).toEqual([8, 7, 6, 5])
  await configure(environment, apId, { text: 'b'.repeat(20_000) })
  expect(await numbers()).toEqual([9, 8])
})

it('an agent from before versions were stored has its configuration as the first one', async ({
  environment,
}) => {
  const apId = await createAgent(environment, { name: 'old' })
  await environment.sql(
    'delete from configuration_versions where agent_id = (select id from agents where ap_id = $1)',
    [apId],
  )
  expect(await versionsOf(environment, apId)).toMatchObject([{ version: 1, author: null, current: true }])
  expect((await versionOf(environment, apId, 1)).body.configuration).toEqual({ name: 'old' })
  await configure(environment, apId, { name: 'new' })
  expect(await versionsOf(environment, apId)).toMatchObject([
    { version: 2, author: 'admin@manc.test', current: true },
    { version: 1, author: null, current: false },
  ])
  expect((await versionOf(environment, apId, 1)).body.configuration).toEqual({ name: 'old' })
})

it('concurrent changes get different versions', async ({ environment }) => {
  const apId = await createAgent(environment, {})
  await Promise.all([1, 2, 3].map((n) => configure(environment, apId, { n })))
  expect((await versionsOf(environment, apId)).map(({ version }) => version)).toEqual([4, 3, 2, 1])
  const agent = (await environment.request('GET', `/api/v1/agents/${apId}`)).body
  expect((await versionOf(environment, apId, 4)).body.configuration).toEqual(agent.configuration)
})

it('versions are deleted with their agent, and those of an unknown one do not exist', async ({
  environment,
}) => {
  const apId = await createAgent(environment, {})
  await environment.request('DELETE', `/api/v1/agents/${apId}`)
  expect((await environment.request('GET', `/api/v1/agents/${apId}/configurations`)).status).toBe(404)
  expect((await versionOf(environment, apId, 1)).body).toEqual({ detail: 'Agent not found' })
  await createAgent(environment, {})
  const rows = await environment.sql(
    'select 1 from configuration_versions where agent_id not in (select id from agents)',
  )
  expect(rows).toEqual([])
})

it.for(['0', '-1', 'first', '1.5', '2147483648'])(
  'the version %s is refused',
  async (text, { environment }) => {
    const apId = await createAgent(environment, {})
    const { status, body } = await versionOf(environment, apId, text)
    expect(status).toBe(422)
    expect(body.detail[0].loc).toEqual(['path', 'version'])
  },
)
