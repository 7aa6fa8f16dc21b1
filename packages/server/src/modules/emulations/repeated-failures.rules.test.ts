import { expect, it } from 'vitest'
import { RepeatedFailures } from './repeated-failures.rules.ts'

it('failures of the same work are counted until it is not repeated any more', () => {
  const failures = new RepeatedFailures()
  expect([failures.add('a'), failures.add('a'), failures.add('b')]).toEqual([1, 2, 1])
  failures.keep(['a'])
  expect([failures.add('a'), failures.add('b')]).toEqual([3, 1])
})
