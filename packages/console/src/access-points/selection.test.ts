import { expect, it } from 'vitest'
import { everything, isSelected, nothing, sizeOf, toggled, withSelected } from './selection.ts'

it('some access points are selected one by one', () => {
  const some = toggled(toggled(toggled(nothing, 'a'), 'b'), 'a')
  expect([isSelected(some, 'a'), isSelected(some, 'b'), sizeOf(some, 100)]).toEqual([false, true, 1])
  expect([...withSelected(some, ['b', 'c']).ids]).toEqual(['b', 'c'])
})

it('all that match are selected except for those that are taken out', () => {
  const most = toggled(everything, 'a')
  expect([isSelected(most, 'a'), isSelected(most, 'z'), sizeOf(most, 100)]).toEqual([false, true, 99])
  expect(sizeOf(withSelected(most, ['a', 'b']), 100)).toBe(100)
})
