import { expect, it } from 'vitest'
import { isFailure, statesUpTo } from './job-texts.ts'

it('a command in progress has passed all earlier states', () => {
  expect(statesUpTo('delivered', [])).toEqual(['queued', 'sent', 'delivered'])
})

it('an ended command has passed the states that were received', () => {
  expect(statesUpTo('succeeded', ['queued', 'sent', 'sent', 'delivered', 'succeeded'])).toEqual([
    'queued',
    'sent',
    'delivered',
    'succeeded',
  ])
  expect(statesUpTo('expired', [])).toEqual(['queued', 'expired'])
})

it('failed and timed out need attention; succeeded and skipped do not', () => {
  expect(['succeeded', 'skipped', 'failed', 'timed_out'].filter(isFailure)).toEqual(['failed', 'timed_out'])
})
