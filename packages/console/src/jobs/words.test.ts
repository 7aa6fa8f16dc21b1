import { expect, it } from 'vitest'
import { isTrouble, pathTo } from './words.ts'

it('tells the way of a command that is on it', () => {
  expect(pathTo('delivered', [])).toEqual(['queued', 'sent', 'delivered'])
})

it('tells the way of one that is over as far as it was heard', () => {
  expect(pathTo('succeeded', ['queued', 'sent', 'sent', 'delivered', 'succeeded'])).toEqual([
    'queued',
    'sent',
    'delivered',
    'succeeded',
  ])
  expect(pathTo('expired', [])).toEqual(['queued', 'expired'])
})

it('knows what needs a hand', () => {
  expect(['succeeded', 'skipped', 'failed', 'timed_out'].filter(isTrouble)).toEqual(['failed', 'timed_out'])
})
