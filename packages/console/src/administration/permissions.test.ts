import { expect, it } from 'vitest'
import { readPermissions, writePermissions } from './permissions.ts'

const defaults = ['agents:read', 'metrics:read', 'commands:send', 'emulator:spinup']

it.each([
  ['no fields', {}, { scopes: defaults, agents: ['*'], priority: 0 }],
  ['a list of scopes', { scopes: ['history:read', 'none'] }, { scopes: ['history:read'] }],
  [
    'scopes one by one',
    { 'history:read': true, 'agents:read': false },
    { scopes: ['metrics:read', 'history:read', 'commands:send', 'emulator:spinup'] },
  ],
  ['patterns and a priority', { agents: ['a-*', 7], priority: 5 }, { agents: ['a-*'], priority: 5 }],
  [
    'malformed fields',
    { agents: 'all', priority: 'high', scopes: 'all' },
    { agents: [], priority: 0, scopes: [] },
  ],
])('permissions with %s are interpreted as by the controller', (_, given, expected) => {
  expect(readPermissions(given)).toMatchObject(expected)
})

it('writing permissions keeps other fields and replaces the scopes given one by one', () => {
  const permissions = { scopes: ['agents:read' as const], agents: ['*'], priority: 1 }
  const previous = { sendCommand: false, note: 'x', 'history:read': true, priority: 9 }
  expect(writePermissions(permissions, previous)).toEqual({ sendCommand: false, note: 'x', ...permissions })
})
