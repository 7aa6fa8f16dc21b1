import { expect, it } from 'vitest'
import { isFailure, statesUpTo } from './job-texts.ts'

it('tells the way of a command that is on it', () => {
  expect(statesUpTo('delivered', [])).toEqual(['queued', 'sent', 'delivered'])
})

it('tells the way of one that is over as far as it was heard', () => {
  expect(statesUpTo('succeeded', ['queued', 'sent', 'sent', 'delivered', 'succeeded'])).toEqual([
    'queued',
    'sent',
    'delivered',
    'succeeded',
  ])
  expect(statesUpTo('expired', [])).toEqual(['queued', 'expired'])
})

it('knows what needs a hand', () => {
  expect(['succeeded', 'skipped', 'failed', 'timed_out'].filter(isFailure)).toEqual(['failed', 'timed_out'])
})
