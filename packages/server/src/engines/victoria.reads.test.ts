import { describe, expect, it } from 'vitest'
import { selector } from './victoria.reads.ts'

describe('a selector', () => {
  it('has its labels in quotes', () => {
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
    ['half a character', '\ud83d', '{l="\ufffd"}'],
    ['what would be a regular expression', '.*', '{l=".*"}'],
  ])('lets no value out of them: %s', (_, value, expected) => {
    expect(selector({ l: value })).toBe(expected)
  })
})
