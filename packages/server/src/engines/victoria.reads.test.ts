import { describe, expect, it } from 'vitest'
import { selector } from './victoria.reads.ts'

describe('A selector of series', () => {
  it('quotes its labels', () => {
    expect(selector({ __name__: 'clients', ap_id: '00:1A:2b' })).toBe('{__name__="clients",ap_id="00:1A:2b"}')
  })

  it.each([
    ['a quote', 'a"b', String.raw`{l="a\"b"}`],
    ['a backslash', String.raw`a\b`, String.raw`{l="a\\b"}`],
    ['a backslash at the end', 'a\\', String.raw`{l="a\\"}`],
    ['both', '\\"', String.raw`{l="\\\""}`],
    ['a line break', 'a\nb', String.raw`{l="a\nb"}`],
    ['a brace', '"} or {x!="', String.raw`{l="\"} or {x!=\""}`],
    ['U+0000', '\0', String.raw`{l="\u0000"}`],
    ['a lone surrogate', '\ud83d', '{l="\ufffd"}'],
    ['a regular expression', '.*', '{l=".*"}'],
  ])('escapes %s in a value', (_, value, expected) => {
    expect(selector({ l: value })).toBe(expected)
  })

  it('matches one of several values, and these as they are', () => {
    expect(selector({ l: ['a.b', 'c|d', 'e"f'] })).toBe(String.raw`{l=~"a\\.b|c\\|d|e\"f"}`)
  })
})
