import { expect, it } from 'vitest'
import { toCsv } from './csv.ts'

it('the CSV has one row per timestamp and one column per metric', () => {
  const text = toCsv([
    { name: 'load_pct', points: { at: [0, 1000], values: [1.5, 2] } },
    { name: 'a "b", c', points: { at: [1000, 2000], values: [7, -8] } },
    { name: '=1+1', points: { at: [], values: [] } },
  ])
  expect(text.split('\r\n')).toEqual([
    `time,load_pct,"a ""b"", c",'=1+1`,
    '1970-01-01T00:00:00.000Z,1.5,,',
    '1970-01-01T00:00:01.000Z,2,7,',
    '1970-01-01T00:00:02.000Z,,-8,',
    '',
  ])
})
