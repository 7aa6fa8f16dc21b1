import { expect, it } from 'vitest'
import { csvField } from './csv-field.ts'

it('a field is quoted where it has to be, and is no formula', () => {
  expect(['plain', 'a "b", c', '=1+1', '+1+1', '@SUM(A1)', '-cmd', '\tx', '=a,b'].map(csvField)).toEqual([
    'plain',
    '"a ""b"", c"',
    "'=1+1",
    "'+1+1",
    "'@SUM(A1)",
    "'-cmd",
    "'\tx",
    `"'=a,b"`,
  ])
})

it('numbers stay numbers', () => {
  expect([-5, '-5', '-1.5e-7', 0, null].map(csvField)).toEqual(['-5', '-5', '-1.5e-7', '0', ''])
})
