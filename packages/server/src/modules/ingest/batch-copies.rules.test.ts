import { describe, expect, it } from 'vitest'
import { type Copy, copyOf, isSafe, rangesOf } from './batch-copies.rules.ts'

describe('The copy of a batch in a store', () => {
  it.each<[string, Copy, Parameters<typeof copyOf>[0]]>([
    ['is pending until it is durable', 'pending', { isDurable: false, isOut: false, canBeWritten: true }],
    ['is durable', 'durable', { isDurable: true, isOut: false, canBeWritten: true }],
    ['stays durable while the store is out', 'durable', { isDurable: true, isOut: true, canBeWritten: true }],
    ['is missing while the store is out', 'missing', { isDurable: false, isOut: true, canBeWritten: true }],
    ['is missing if its text is gone', 'missing', { isDurable: false, isOut: false, canBeWritten: false }],
  ])('%s', (_, copy, state) => {
    expect(copyOf(state)).toBe(copy)
  })
})

describe('A batch may be acknowledged', () => {
  it.each<[string, Copy[], boolean]>([
    ['if the only store has it', ['durable'], true],
    ['not before the only store has it', ['pending'], false],
    ['never if the only store is out', ['missing'], false],
    ['if all stores have it', ['durable', 'durable'], true],
    ['not before all that answer have it', ['durable', 'pending'], false],
    ['if one has it and the others are out', ['missing', 'durable', 'missing'], true],
    ['not if all stores are out', ['missing', 'missing'], false],
  ])('%s', (_, copies, isAllowed) => {
    expect(isSafe(copies)).toBe(isAllowed)
  })
})

describe('The times that a store misses', () => {
  it('are recorded by the minute', () => {
    expect(rangesOf([1, 28_333_333])).toEqual([
      { fromMs: 60_000, toMs: 120_000 },
      { fromMs: 1_699_999_980_000, toMs: 1_700_000_040_000 },
    ])
  })

  it('are recorded by the hour or day if there are too many', () => {
    const minutes = (count: number) => Array.from({ length: count }, (_, n) => n)
    expect(rangesOf(minutes(1001))).toHaveLength(17)
    expect(rangesOf(minutes(1001)).at(-1)).toEqual({ fromMs: 57_600_000, toMs: 61_200_000 })
    expect(rangesOf(minutes(1000 * 60 + 1))).toHaveLength(42)
  })
})
