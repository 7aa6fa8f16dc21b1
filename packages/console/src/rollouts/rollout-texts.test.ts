import { expect, it } from 'vitest'
import { progressText, stageText } from './rollout-texts.ts'
import { parseRolloutsSearch } from './rollouts-search.ts'

const none = { pending: 0, applied: 0, unchanged: 0, failed: 0, undone: 0, skipped: 0 }

it('progress and stage are told in words', () => {
  const progress = { ...none, applied: 1100, pending: 99, failed: 1 }
  expect(progressText({ agents: 1200, progress })).toBe(
    '1,200 access points: 99 not changed, 1,100 changed, 1 failed',
  )
  expect(stageText({ stage: 2 })).toBe('Stage 2 of 3: 10 %')
})

it('the open rollout and the state of its access points are in the address', () => {
  expect(parseRolloutsSearch({ open: 'new' })).toEqual({ open: 'new' })
  expect(parseRolloutsSearch({ open: 7, other: 1 })).toEqual({})
  expect(parseRolloutsSearch({ open: 'a', outcome: 'failed' })).toEqual({ open: 'a', outcome: 'failed' })
  expect(parseRolloutsSearch({ open: 'a', outcome: 'lost' })).toEqual({ open: 'a' })
})
