import type { AuditRecord } from '@manc/contract'
import { call, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'

const apps = '/api/v1/third_party_apps/'

const register = (environment: TestEnvironment, permissions: unknown, name = uniqueName('app')) =>
  environment.request('POST', apps, { app_name: name, api_key: 'a-key', permissions })

const item = (loc: (string | number)[], type: string, msg: string) => ({
  loc: ['body', 'permissions', ...loc],
  msg,
  type,
})
const notBoolean = (name: string) => item([name], 'bool_type', 'Input should be a valid boolean')
const unknownScope = (index: number) =>
  item(
    ['scopes', index],
    'literal_error',
    "Input should be 'agents:read', 'metrics:read', 'history:read', 'commands:send', 'emulator:spinup', 'clients:read', 'alarms:read', 'alarms:write', 'decisions:read', 'decisions:write', 'experiments:read', 'experiments:write' or 'callbacks:post'",
  )
const notPatterns = item(
  ['agents'],
  'value_error',
  'Value error, agents should be a list of ap_id patterns, or true for all agents',
)

/** Permissions that would give other rights than their author meant. */
const refused: [title: string, permissions: object, items: object[]][] = [
  ['an unknown scope', { scopes: ['agents:read', 'agent:read'] }, [unknownScope(1)]],
  [
    'scopes that are no list',
    { scopes: 'agents:read' },
    [item(['scopes'], 'list_type', 'Input should be a valid list')],
  ],
  ['a number as a scope', { scopes: [1] }, [unknownScope(0)]],
  ['a scope that is neither granted nor denied', { 'commands:send': 'false' }, [notBoolean('commands:send')]],
  ['an operation that is neither granted nor denied', { sendCommand: 0 }, [notBoolean('sendCommand')]],
  ['a number for the agents', { agents: 5 }, [notPatterns]],
  ['a list of agents with a number', { agents: ['a-*', 5] }, [notPatterns]],
  [
    'several wrong members',
    { scopes: {}, agents: null },
    [item(['scopes'], 'list_type', 'Input should be a valid list'), notPatterns],
  ],
]

describe('permissions that are recognised but malformed', () => {
  it.for(refused)('are refused at registration: %s', async ([, permissions, items], { environment }) => {
    const { status, body } = await register(environment, permissions)
    expect([status, body]).toEqual([422, { detail: items }])
  })

  it.for(refused)('are refused at an update: %s', async ([, permissions, items], { environment }) => {
    const name = uniqueName('app')
    await register(environment, { scopes: [] }, name)
    const { status, body } = await environment.request('PUT', apps + name, { permissions })
    expect([status, body]).toEqual([422, { detail: items }])
    const stored = await environment.sql('select permissions from third_party_apps where app_name = $1', [
      name,
    ])
    expect(stored).toEqual([{ permissions: '{"scopes":[]}' }])
  })
})

it.for<[title: string, permissions: object, warning: string]>([
  ['an unknown member', { scope: ['agents:read'] }, 'Members of permissions without a meaning: scope'],
  [
    'a priority that is not an integer',
    { priority: 'high' },
    'priority of permissions is not an integer and counts as 0',
  ],
  [
    'a name that does not fit in a header',
    { 'a"\t\\b: é': 1 },
    'Members of permissions without a meaning: a???b: ?',
  ],
])(
  '%s is accepted, and a Warning header reports that it is ignored',
  async ([, permissions, text], { environment }) => {
    const name = uniqueName('app')
    const created = await register(environment, permissions, name)
    expect([created.status, created.headers.get('warning')]).toEqual([200, `299 - "${text}"`])
    expect(created.body.permissions).toEqual(permissions)
    const updated = await environment.request('PUT', apps + name, {
      permissions: { ...permissions, more: 1 },
    })
    expect(updated.headers.get('warning')).toContain('299 - "')
  },
)

it('permissions without an ignored member have no Warning header', async ({ environment }) => {
  const permissions = {
    scopes: ['agents:read'],
    agents: ['a-*'],
    priority: 1,
    send_command: false,
    getAgent: true,
  }
  expect((await register(environment, permissions)).headers.get('warning')).toBeNull()
})

it('permissions with many ignored members have a short Warning header', async ({ environment }) => {
  const permissions = Object.fromEntries(
    Array.from({ length: 1000 }, (_, n) => [`m${n}-${'x'.repeat(50)}`, n]),
  )
  const warning = (await register(environment, permissions)).headers.get('warning') ?? ''
  expect(warning).toContain('m0-')
  expect(warning).toContain('and 995 more')
  expect(warning.length).toBeLessThan(600)
})

/** `agents` → the agents of `reach-a` and `reach-b` that the app may read. */
it.for<[agents: unknown, expected: string[]]>([
  [true, ['reach-a', 'reach-b']],
  [false, []],
  ['reach-a*', ['reach-a']],
  [['reach-b'], ['reach-b']],
  [[], []],
])('with %j as its agents an app reaches %j', async ([agents, expected], { environment }) => {
  for (const apId of ['reach-a', 'reach-b'])
    await environment.request('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration: {} })
  const name = uniqueName('app')
  expect((await register(environment, { agents }, name)).status).toBe(200)
  const token = await tokenOf(environment.url, 'third_party_app', name, 'a-key')
  const { body } = await call(environment.url, 'GET', '/api/v1/metrics/agent_details', { token })
  const reached = (body as { ap_id: string }[]).map(({ ap_id: apId }) => apId)
  expect(reached.filter((apId) => apId.startsWith('reach-')).toSorted()).toEqual(expected)
})

describe('the audit of permissions', () => {
  const detailOf = async (environment: TestEnvironment, name: string, action: string) => {
    const { body } = await environment.request('GET', `/api/v1/audit?target=${name}&action=${action}`)
    return (body as AuditRecord[])[0]?.detail
  }

  it('has the scopes, patterns, grants and priority before and after a change', async ({ environment }) => {
    const name = uniqueName('audited')
    await register(environment, { scopes: ['agents:read'], agents: ['lab-*'], send_command: true }, name)
    expect(await detailOf(environment, name, 'app.create')).toEqual({
      scopes: ['agents:read'],
      agents: ['lab-*'],
      grants: { send_command: true },
      priority: 0,
      sandbox: false,
    })
    await environment.request('PUT', apps + name, { permissions: { scopes: [], agents: ['*'], priority: 4 } })
    expect(await detailOf(environment, name, 'app.update')).toEqual({
      api_key: 'read',
      scopes: { from: ['agents:read'], to: [] },
      agents: { from: ['lab-*'], to: ['*'] },
      grants: { from: { send_command: true }, to: {} },
      priority: { from: 0, to: 4 },
    })
  })

  it('has only what has changed', async ({ environment }) => {
    const name = uniqueName('audited')
    await register(environment, { agents: ['lab-*'] }, name)
    await environment.request('PUT', apps + name, { permissions: { agents: ['lab-1'] } })
    expect(await detailOf(environment, name, 'app.update')).toEqual({
      api_key: 'read',
      agents: { from: ['lab-*'], to: ['lab-1'] },
    })
  })

  it('is bounded in size', async ({ environment }) => {
    const name = uniqueName('audited')
    const agents = Array.from({ length: 5000 }, (_, n) => `lab-${n}`)
    await register(environment, { agents }, name)
    const { agents: shown } = (await detailOf(environment, name, 'app.create')) as { agents: string[] }
    expect(shown).toHaveLength(51)
    expect(shown.at(-1)).toBe('and 4950 more')
  })
})
