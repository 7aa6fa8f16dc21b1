import { expect, it } from 'vitest'
import { readPermissions, writePermissions } from './permissions.ts'

const standard = ['agents:read', 'metrics:read', 'commands:send', 'emulator:spinup']

it.each([
  ['nothing', {}, { scopes: standard, agents: ['*'], priority: 0 }],
  ['a list of scopes', { scopes: ['history:read', 'none'] }, { scopes: ['history:read'] }],
  [
    'scopes one by one',
    { 'history:read': true, 'agents:read': false },
    { scopes: ['metrics:read', 'history:read', 'commands:send', 'emulator:spinup'] },
  ],
  ['patterns and a priority', { agents: ['a-*', 7], priority: 5 }, { agents: ['a-*'], priority: 5 }],
  [
    'what is malformed',
    { agents: 'all', priority: 'high', scopes: 'all' },
    { agents: [], priority: 0, scopes: [] },
  ],
])('%s is read as the controller reads it', (_, given, expected) => {
  expect(readPermissions(given)).toMatchObject(expected)
})

it('what is not shown stays as it was, and what was said twice is said once', () => {
  const wanted = { scopes: ['agents:read' as const], agents: ['*'], priority: 1 }
  const before = { sendCommand: false, note: 'x', 'history:read': true, priority: 9 }
  expect(writePermissions(wanted, before)).toEqual({ sendCommand: false, note: 'x', ...wanted })
})
