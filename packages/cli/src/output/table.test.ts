import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type Column, recordLines, tableLines } from './table.ts'
import { clean, figure, fit, span, widthOf } from './text.ts'

interface Row {
  name: string
  count: number
  note: string | null
}

const columns: Column<Row>[] = [
  { title: 'NAME', value: ({ name }) => name },
  { title: 'COUNT', value: ({ count }) => count },
  { title: 'NOTE', value: ({ note }) => note },
]
const table = (rows: Row[], width?: number) => tableLines(columns, rows, width).map(stripVTControlCharacters)

describe('A table', () => {
  it('aligns its columns, numbers to the right, without trailing blanks', () => {
    const rows = [
      { name: 'wifi-1', count: 5, note: 'x' },
      { name: 'a', count: 1000, note: null },
    ]
    expect(table(rows)).toEqual(['NAME    COUNT  NOTE', 'wifi-1      5  x', 'a        1000'])
  })

  it('shortens the last column on a narrow terminal', () => {
    const [, line] = table([{ name: 'n', count: 1, note: 'a rather long note' }], 24)
    expect(line).toBe('n         1  a rather l…')
  })

  it('counts wide characters as two columns', () => {
    const [, first, second] = table([
      { name: '東京', count: 1, note: 'x' },
      { name: 'abcd', count: 1, note: 'x' },
    ])
    expect(widthOf(first ?? '')).toBe(widthOf(second ?? ''))
  })

  it('removes escape sequences from text of other users', () => {
    const text = tableLines(columns, [{ name: 'a\u001B[2Jb\nc', count: 1, note: null }]).join('')
    expect(text).toContain('ab c')
    expect(text).not.toContain('\u001B[2J')
  })
})

describe('A record', () => {
  it('has one name per line, without undefined values', () => {
    expect(recordLines({ a: 1, long: true, none: undefined }).map(stripVTControlCharacters)).toEqual([
      'a     1',
      'long  yes',
    ])
  })
})

describe('A number', () => {
  it('is shown with about three significant digits', () => {
    expect([0, 3, -61.5, 3.141_59, 123.456, 4567.8, 12_345_678, 0.000_012].map(figure)).toEqual([
      '0',
      '3',
      '-61.5',
      '3.14',
      '123.5',
      '4568',
      '1.23e+7',
      '0.0000120',
    ])
  })

  it('of seconds is shown in its two largest units', () => {
    expect([0, 59, 60, 3700, 90_000].map(span)).toEqual(['0s', '59s', '1m', '1h1m', '1d1h'])
  })

  it('is cut if it does not fit', () => {
    expect(fit('abcdef', 4)).toBe('abc…')
    expect(clean('a\tb')).toBe('a b')
  })
})
