import { expect, it } from 'vitest'
import { type Outcome, outcomeRows, partsIntervalMs, reasonOf, shownOutcomes } from './outcomes.ts'

const outcome = (apId: string, more: Partial<Outcome> = {}): Outcome => ({
  apId,
  state: 'succeeded',
  reason: '',
  atMs: 1000,
  jobNumber: `job-${apId}`,
  ...more,
})
const outcomes = [
  outcome('ap-10', { atMs: undefined, state: 'queued' }),
  outcome('ap-2', { state: 'failed', reason: 'Power is out of range.' }),
  outcome('ap-1', { atMs: 500 }),
]
const idsOf = (shown: Outcome[]) => shown.map(({ apId }) => apId)
const all = { outcome: undefined, find: '' }

it('the report of an agent is text without brackets', () => {
  expect(reasonOf({ done: 'set_power', power_dbm: 41, list: [1] })).toBe(
    'done: set_power, power_dbm: 41, list: [1]',
  )
  expect([reasonOf('text'), reasonOf(null), reasonOf([1]), reasonOf(7)]).toEqual(['text', '', '[1]', '7'])
})

it('outcomes are sorted by each column, with numbers in their order', () => {
  expect(idsOf(shownOutcomes(outcomes, { ...all, sort: 'ap' }))).toEqual(['ap-1', 'ap-2', 'ap-10'])
  expect(idsOf(shownOutcomes(outcomes, { ...all, sort: '-ap' }))).toEqual(['ap-10', 'ap-2', 'ap-1'])
  expect(idsOf(shownOutcomes(outcomes, { ...all, sort: 'outcome' }))).toEqual(['ap-2', 'ap-10', 'ap-1'])
  expect(idsOf(shownOutcomes(outcomes, { ...all, sort: 'time' }))).toEqual(['ap-1', 'ap-2', 'ap-10'])
})

it('outcomes are filtered by state and text', () => {
  expect(idsOf(shownOutcomes(outcomes, { outcome: 'failed', find: '', sort: 'ap' }))).toEqual(['ap-2'])
  expect(idsOf(shownOutcomes(outcomes, { outcome: undefined, find: ' RANGE', sort: 'ap' }))).toEqual(['ap-2'])
  expect(shownOutcomes(outcomes, { outcome: 'failed', find: 'ap-1', sort: 'ap' })).toEqual([])
})

it('a file has the words of the page and times with their zone', () => {
  expect(outcomeRows([outcome('ap-1', { state: 'timed_out' })])).toEqual([
    {
      access_point: 'ap-1',
      outcome: 'timed out',
      reason: '',
      time: '1970-01-01T00:00:01.000Z',
      job_number: 'job-ap-1',
    },
  ])
})

it('many parts are read less often', () => {
  expect(
    [null, { sent: 10 }, { sent: 4000, succeeded: 1000 }, { queued: 100_000 }].map(partsIntervalMs),
  ).toEqual([3000, 3000, 15_000, 60_000])
})
