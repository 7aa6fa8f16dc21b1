import { expect, it } from 'vitest'
import { readPermissions, writePermissions } from './permissions.ts'

const listed = (permissions: Record<string, unknown>, scopes: string[] = []) => ({
  id: '1',
  app_name: 'steering',
  permissions,
  scopes,
  state: permissions['sandbox'] === true ? ('sandbox' as const) : ('production' as const),
})

it.each([
  ['no fields', {}, { agents: ['*'], priority: 0 }],
  ['patterns and a priority', { agents: ['a-*', 7], priority: 5 }, { agents: ['a-*'], priority: 5 }],
  ['all access points', { agents: true }, { agents: ['*'] }],
  ['no access points', { agents: false }, { agents: [] }],
  ['one pattern', { agents: 'a-*' }, { agents: ['a-*'] }],
  ['a sandbox', { sandbox: true }, { agents: ['*'], sandbox: true }],
  ['malformed fields', { agents: 5, priority: 'high' }, { agents: [], priority: 0 }],
])('permissions with %s are interpreted as by the controller', (_, given, expected) => {
  expect(readPermissions(listed(given))).toMatchObject(expected)
})

it('the scopes are those that the controller reports', () => {
  expect(readPermissions(listed({}, ['metrics:read', 'agents:read'])).scopes).toEqual([
    'agents:read',
    'metrics:read',
  ])
})

it('writing permissions keeps other fields and replaces the scopes given one by one', () => {
  const permissions = { scopes: ['agents:read' as const], agents: ['*'], priority: 1 }
  const previous = { sendCommand: false, note: 'x', 'history:read': true, priority: 9, sandbox: true }
  const written = { sendCommand: false, note: 'x', ...permissions }
  expect(writePermissions({ ...permissions, sandbox: false }, previous)).toEqual(written)
  expect(writePermissions({ ...permissions, sandbox: true }, {})).toEqual({ ...permissions, sandbox: true })
})
