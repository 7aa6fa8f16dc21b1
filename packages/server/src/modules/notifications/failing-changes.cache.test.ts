import { expect, it } from 'vitest'
import { FailingChanges } from './failing-changes.cache.ts'

it('A change that fails is left out for longer each time, and not any more after a success.', () => {
  const failing = new FailingChanges()
  failing.add('1', 0)
  failing.add('2', 0)
  expect(failing.waiting(29_999)).toEqual(['1', '2'])
  expect(failing.waiting(30_000)).toEqual([])
  failing.add('1', 30_000)
  expect(failing.waiting(89_999)).toEqual(['1'])
  for (let times = 1; times <= 20; times++) failing.add('1', 100_000)
  expect(failing.waiting(699_999)).toEqual(['1'])
  expect(failing.waiting(700_000)).toEqual([])
  failing.remove(['1'])
  failing.add('1', 0)
  expect(failing.waiting(30_000)).toEqual([])
})

it('A limited number of them is kept.', () => {
  const failing = new FailingChanges()
  for (let id = 1; id <= 1000; id++) expect(failing.add(String(id), 0)).toBe(true)
  expect(failing.add('1001', 0)).toBe(false)
  expect(failing.add('1', 0)).toBe(true)
  expect(failing.waiting(0)).toHaveLength(1000)
})
