import { expect, it } from 'vitest'
import { parseExperimentsSearch } from './experiments-search.ts'

it('the address has the open experiment and two of its runs', () => {
  expect(parseExperimentsSearch({ open: 'x', a: 1, b: 4 })).toEqual({ open: 'x', a: 1, b: 4 })
})

it('invalid parameters are ignored', () => {
  expect(parseExperimentsSearch({ open: 7, a: 1 })).toEqual({})
  expect(parseExperimentsSearch({ open: 'x', a: 0, b: '2' })).toEqual({ open: 'x' })
  expect(parseExperimentsSearch({ open: 'x'.repeat(65) })).toEqual({})
})
