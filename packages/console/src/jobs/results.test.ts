import { describe, expect, it } from 'vitest'
import { cellOf, columnsOf, csvOf, jsonOf } from './results.ts'

describe('the columns of a result', () => {
  it('are the field names of its rows', () => {
    expect(columnsOf([{ a: 1 }, { a: 2, b: 3 }])).toEqual(['a', 'b'])
  })

  it('have identifiers last', () => {
    expect(columnsOf([{ job_number: 'x', agent_id: 'a', state: 's' }])).toEqual([
      'agent_id',
      'state',
      'job_number',
    ])
  })

  it.each([[[]], [[1, 2]], [[[1]]], [[null]], [[{ a: 1 }, 'text']]])('are undefined for %j', (rows) => {
    expect(columnsOf(rows)).toBeUndefined()
  })

  it('are undefined if every row has different fields', () => {
    expect(columnsOf(Array.from({ length: 40 }, (_, n) => ({ [`field-${n}`]: n })))).toBeUndefined()
  })
})

it('a cell is text, and empty for missing values', () => {
  const row = { number: 1, none: null, nested: { a: [1] }, no: false }
  expect(['number', 'none', 'nested', 'no', 'missing'].map((name) => cellOf(row, name))).toEqual([
    '1',
    '',
    '{"a":[1]}',
    'false',
    '',
  ])
})

describe('a download', () => {
  it('as CSV has quotes if needed, and no formulas', async () => {
    const rows = [
      { name: 'a "b", c', value: -1.5 },
      { name: '=1+1', value: '-2' },
      { name: '-rm', value: null },
      { name: "-1+cmd|'/C calc'!A0", value: 1e-7 },
    ]
    expect(await (await csvOf(rows, ['name', 'value'])).text()).toBe(
      `name,value\r\n"a ""b"", c",-1.5\r\n'=1+1,-2\r\n'-rm,\r\n'-1+cmd|'/C calc'!A0,1e-7\r\n`,
    )
  })

  it('as CSV has the columns of every row', async () => {
    const rows = [...Array.from({ length: 2000 }, (_, n) => ({ n })), { n: 2000, late: 'yes' }]
    expect(columnsOf(rows)).toEqual(['n'])
    const lines = (await (await csvOf(rows, ['n'])).text()).split('\r\n')
    expect([lines[0], lines[1], lines[2001]]).toEqual(['n,late', '0,', '2000,yes'])
  })

  it('has the rows at the time of the request, also if more arrive meanwhile', async () => {
    const rows = Array.from({ length: 6000 }, (_, n) => ({ n }))
    const [json, csv] = [jsonOf(rows), csvOf(rows, ['n'])]
    rows.splice(0, 1000)
    rows.push({ n: -1 })
    expect(JSON.parse(await (await json).text())).toHaveLength(6000)
    expect((await (await csv).text()).trim().split('\r\n')).toHaveLength(6001)
  })

  it('has every row of a long result', async () => {
    const rows = Array.from({ length: 12_345 }, (_, n) => ({ n }))
    expect(JSON.parse(await (await jsonOf(rows)).text())).toEqual(rows)
    expect((await (await csvOf(rows, ['n'])).text()).trim().split('\r\n')).toHaveLength(12_346)
    expect(JSON.parse(await (await jsonOf([])).text())).toEqual([])
  })
})
