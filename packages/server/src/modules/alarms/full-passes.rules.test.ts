import { expect, it } from 'vitest'
import { FullPasses } from './full-passes.rules.ts'

it('all open alarms are compared for a minute after a change of the rules, then every 30 seconds', () => {
  const passes = new FullPasses()
  const run = (mark: string, seconds: number) => {
    const isDue = passes.isDue(mark, seconds * 1000)
    if (isDue) passes.passed(seconds * 1000)
    return isDue
  }
  expect([0, 5, 30, 59].map((seconds) => run('a', seconds))).toEqual([true, true, true, true])
  expect([60, 75, 88].map((seconds) => run('a', seconds))).toEqual([false, false, false])
  expect([89, 90, 118, 119].map((seconds) => run('a', seconds))).toEqual([true, false, false, true])
  expect([120, 125, 179].map((seconds) => run('b', seconds))).toEqual([true, true, true])
  expect([180, 208, 209].map((seconds) => run('b', seconds))).toEqual([false, false, true])
})

it('a pass that has failed is repeated', () => {
  const passes = new FullPasses()
  passes.isDue('a', 0)
  expect([passes.isDue('a', 100_000), passes.isDue('a', 105_000)]).toEqual([true, true])
  passes.passed(105_000)
  expect(passes.isDue('a', 110_000)).toBe(false)
})
