import type { JobResult } from '@manc/sdk'
import { expect, it } from 'vitest'
import { noResults, withMessage } from './use-results.ts'

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
