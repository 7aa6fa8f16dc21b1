import { expect, it } from 'vitest'
import { lengthOf } from './length.ts'

it.each([
  [0, '0 s'],
  [59.6, '1 min'],
  [90, '1 min 30 s'],
  [5400, '1 h 30 min'],
  [7201, '2 h'],
  [90_000, '1 d 1 h'],
  [-5, '0 s'],
])('%d s is %s', (seconds, words) => {
  expect(lengthOf(seconds)).toBe(words)
})
