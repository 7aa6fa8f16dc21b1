import type { JobResult } from '@manc/sdk'
import { expect, it } from 'vitest'
import { afterRead, noResults, withMessage } from './use-results.ts'

const message = (seq: number, more: Partial<JobResult>): JobResult => ({
  seq,
  type: 'result',
  final: false,
  at: '2026-01-02T03:04:05.000Z',
  expires_at: '2026-01-03T03:04:05.000Z',
  delivered: true,
  data: [],
  detail: null,
  ...more,
})

it('rows, states and messages that were not kept are collected in order', () => {
  const results = [
    message(1, { type: 'state', data: { state: 'sent' } }),
    message(2, { data: [1, 2] }),
    message(3, { data: null, detail: 'Not kept.' }),
    message(4, { final: true, data: [{ command: 'reboot', state: 'succeeded' }] }),
  ].reduce(withMessage, noResults())
  expect(results).toMatchObject({ lastSeq: 4, missing: 1, state: 'complete', dropped: 0 })
  expect(results.rows).toEqual([1, 2, { command: 'reboot', state: 'succeeded' }])
  expect(results.updates.map(({ update }) => update.state)).toEqual(['sent', 'succeeded'])
})

it('expired messages at the beginning are missing', () => {
  const results = [message(3, { data: [1] }), message(4, { final: true, data: [2] })].reduce(
    withMessage,
    noResults(),
  )
  expect(results).toMatchObject({ lastSeq: 4, missing: 2, state: 'complete' })
})

it('the messages of an ended job that are not listed have expired', () => {
  const results = [message(1, { data: [1] })].reduce(withMessage, noResults())
  const endedAt = '2026-01-02T03:04:05.000Z'
  expect(afterRead(results, { ended_at: endedAt, last_seq: 2 }).isExpired).toBe(true)
  expect(afterRead(noResults(), { ended_at: endedAt, last_seq: 1 }).isExpired).toBe(true)
  expect(afterRead(results, { ended_at: endedAt, last_seq: 1 }).isExpired).toBe(false)
  expect(afterRead(results, { ended_at: null, last_seq: 2 }).isExpired).toBe(false)
})
