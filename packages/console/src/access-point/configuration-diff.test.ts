import { expect, it } from 'vitest'
import { changesBetween, parseConfiguration } from './configuration-diff.ts'

it('a text that is not a valid configuration is explained', () => {
  expect(parseConfiguration('{"a": 1}')).toEqual({ value: { a: 1 } })
  expect(parseConfiguration('{"a": }').problem).toContain('Invalid JSON')
  expect(parseConfiguration('[1]').problem).toContain('must be a JSON object')
  expect(parseConfiguration('null').problem).toContain('must be a JSON object')
  expect(parseConfiguration(JSON.stringify({ a: 'é'.repeat(33_000) })).problem).toContain('64 KiB')
})

it('the differences list every changed value and no other', () => {
  expect(
    changesBetween(
      { name: 'a', at: { x: 1, y: 2 }, list: [1, 2], same: { z: 1 }, none: {} },
      { name: 'b', at: { x: 1, y: 3, w: null }, list: [1], same: { z: 1 }, none: {} },
    ),
  ).toEqual([
    { path: 'at.w', before: undefined, after: 'null' },
    { path: 'at.y', before: '2', after: '3' },
    { path: 'list', before: '[1,2]', after: '[1]' },
    { path: 'name', before: '"a"', after: '"b"' },
  ])
  expect(changesBetween({ a: { b: 1 } }, { a: {} })).toEqual([
    { path: 'a', before: undefined, after: '{}' },
    { path: 'a.b', before: '1', after: undefined },
  ])
})
