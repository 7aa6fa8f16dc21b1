import type { AuditRecord } from '@manc/sdk'
import { expect, it } from 'vitest'
import { type AuditGroup, groupRecords, groupSentence } from './audit-groups.ts'

const startMs = Date.parse('2026-11-17T09:00:00Z')

const record = (changes: Partial<AuditRecord>, minutesAgo = 0): AuditRecord => ({
  id: '1',
  at: new Date(startMs - minutesAgo * 60_000).toISOString(),
  actor_kind: 'user',
  actor: 'eve@manc.test',
  action: 'agent.create',
  target: 'wifi-1',
  detail: {},
  request_id: null,
  ...changes,
})

it('neighbouring entries of one actor with one action are one group', () => {
  const groups = groupRecords([
    record({ id: '4', target: 'wifi-2' }),
    record({ id: '3' }, 1),
    record({ id: '2', action: 'logout' }, 2),
    record({ id: '1' }, 3),
  ])
  expect(groups.map((group) => group.map(({ id }) => id))).toEqual([['4', '3'], ['2'], ['1']])
})

it('other actors and entries after a break of more than ten minutes are other groups', () => {
  expect(groupRecords([record({}), record({ actor: 'bob@manc.test' })])).toHaveLength(2)
  expect(groupRecords([record({}), record({ actor_kind: 'third_party_app' })])).toHaveLength(2)
  const ofAgent = { actor_kind: 'agent', action: 'agent.update' }
  expect(
    groupRecords([record({ ...ofAgent, actor: 'wifi-1' }), record({ ...ofAgent, actor: 'wifi-2' })]),
  ).toHaveLength(1)
  expect(groupRecords([record({}), record({}, 10), record({}, 20)])).toHaveLength(1)
  expect(groupRecords([record({}), record({}, 10.1)])).toHaveLength(2)
  expect(groupRecords([])).toEqual([])
})

it('a group has the sentence of its entries, or names actor and action where the sentences differ', () => {
  const same: AuditGroup = [record({}), record({}, 1)]
  expect(groupSentence(same)).toBe('eve@manc.test registered the access point wifi-1')
  expect(groupSentence([record({}), record({ target: 'wifi-2' })])).toBe(
    'eve@manc.test registered an access point',
  )
  const ofAgent = (id: string, action = 'agent.update') =>
    record({ actor_kind: 'agent', actor: id, target: id, action })
  expect(groupSentence([ofAgent('wifi-1'), ofAgent('wifi-2')])).toBe('2 agents changed their configuration')
  expect(groupSentence([ofAgent('wifi-1', 'login'), ofAgent('wifi-2', 'login')])).toBe('2 agents logged in')
  expect(groupSentence([record({ action: 'x.y' }), record({ action: 'x.y', target: 'z' })])).toBe(
    'eve@manc.test x.y',
  )
})
