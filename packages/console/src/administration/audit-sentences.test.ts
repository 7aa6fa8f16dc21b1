import type { AuditRecord } from '@manc/sdk'
import { expect, it } from 'vitest'
import { auditSentence } from './audit-sentences.ts'

const record = (given: Partial<AuditRecord>): AuditRecord => ({
  id: '1',
  at: '2026-01-01T00:00:00.000Z',
  actor_kind: 'user',
  actor: 'admin@manc.test',
  action: 'user.delete',
  target: 'eve@manc.test',
  detail: {},
  request_id: null,
  ...given,
})

it.each([
  [{}, 'admin@manc.test removed the user eve@manc.test'],
  [
    { action: 'login', target: 'admin@manc.test', detail: { address: '10.0.0.1', count: 1 } },
    'admin@manc.test logged in from 10.0.0.1',
  ],
  [
    { action: 'login.failed', actor_kind: 'anonymous', actor: '10.0.0.1', detail: { count: 1200 } },
    'Anonymous caller at 10.0.0.1 failed to log in as eve@manc.test (1,200 times)',
  ],
  [
    { action: 'login.failed', actor_kind: 'anonymous', actor: '*', target: '*', detail: { count: 9 } },
    'Anonymous callers failed to log in to many accounts (9 times)',
  ],
  [
    {
      action: 'agent.command',
      actor_kind: 'third_party_app',
      actor: 'steering',
      target: '*',
      detail: { count: 7 },
    },
    'Application steering: Sent a command (7 times)',
  ],
  [
    { action: 'app.read-key', target: 'steering' },
    'admin@manc.test read the key of the application steering',
  ],
  [
    { action: 'user.update', detail: { roles: { from: ['user'], to: ['operator', 'night'] } } },
    'admin@manc.test changed the roles of eve@manc.test from user to operator, night',
  ],
  [
    { action: 'user.update', detail: { password: 'changed' } },
    'admin@manc.test set a new password for eve@manc.test',
  ],
  [
    { action: 'user.create', actor_kind: 'anonymous', actor: '10.0.0.1', detail: { roles: ['user'] } },
    'Anonymous caller at 10.0.0.1 created the user eve@manc.test as user',
  ],
  [
    {
      action: 'agent.update',
      actor_kind: 'agent',
      actor: 'ap-1',
      target: 'ap-1',
      detail: { changed: ['configuration'] },
    },
    'Agent ap-1 changed its configuration',
  ],
  [
    {
      action: 'agents.command',
      actor_kind: 'third_party_app',
      actor: 'steering',
      detail: { command: 'reboot', agents: 1200 },
    },
    'Application steering sent “reboot” to 1,200 access points',
  ],
  [
    { action: 'enrolment-token.create', detail: { ap_id_pattern: 'ap-*', max_uses: 1 } },
    'admin@manc.test created an enrolment token for ap-* (1 use)',
  ],
  [
    { action: 'keys.rotate', actor: 'manc-server', target: '1f6a2d90', detail: { rows: 1 } },
    'manc-server re-encrypted 1 API key with the data key 1f6a2d90',
  ],
  [{ action: 'something.new', target: 'x' }, 'admin@manc.test performed something.new on x'],
])('%o reads as a sentence', (given, expected) => {
  expect(auditSentence(record(given))).toBe(expected)
})
