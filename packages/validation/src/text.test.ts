import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countCodePoints, isLongerThan, quoted, trimSpaces } from './text.ts'

/** Lone halves of surrogate pairs included: JSON can carry them. */
const unit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom('😀', 'a', '0', '"'),
)

describe('the length of a text', () => {
  it('is counted in code points, a lone surrogate as one', () => {
    expect(countCodePoints('a😀\ud800é')).toBe(4)
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(countCodePoints(text)).toBe(Array.from(text).length)
      }),
    )
  })

  it('is compared as it is counted', () => {
    fc.assert(
      fc.property(fc.string({ unit }), fc.nat(12), (text, limit) => {
        expect(isLongerThan(text, limit)).toBe(countCodePoints(text) > limit)
      }),
    )
  })
})

describe('white space', () => {
  it('is what Rust and Python trim, not what JavaScript does', () => {
    expect(trimSpaces('\t\u0085\u3000 a b \u00a0\r\n')).toBe('a b')
    expect(trimSpaces('\ufeffa')).toBe('\ufeffa')
    expect(trimSpaces(' \n ')).toBe('')
  })
})

describe('a quoted text', () => {
  it.each([
    ['user', "'user'"],
    ["it's", `"it's"`],
    [`it's "it"`, `'it\\'s "it"'`],
  ])('shows %s as Python would: %s', (text, expected) => {
    expect(quoted(text)).toBe(expected)
  })
})
