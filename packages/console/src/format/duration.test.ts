import { expect, it } from 'vitest'
import { unitOfDuration } from './duration.ts'

it('durations have the largest unit that fits', () => {
  expect([0, 45, 60, 90, 7200].map(unitOfDuration)).toEqual(['s', 's', 'min', 's', 'h'])
})
