import { expect, it } from 'vitest'
import { listSearch, parseJobsSearch } from './jobs-search.ts'

it('valid parameters are read, and others ignored', () => {
  expect(
    parseJobsSearch({
      kind: ['send_command', 'unknown'],
      state: 'failed',
      outcome: 'timed_out',
      find: 42,
      sort: '-time',
      repeat: 'a'.repeat(129),
    }),
  ).toEqual({ kind: ['send_command'], outcome: 'timed_out', find: '42', sort: '-time' })
  expect(parseJobsSearch({ kind: [], find: '', sort: 'size' })).toEqual({})
})

it('the filters of the list stay when another job is opened', () => {
  expect(listSearch({ kind: ['mailbox'], state: ['open'], find: 'x', outcome: 'failed' })).toEqual({
    kind: ['mailbox'],
    state: ['open'],
  })
})
