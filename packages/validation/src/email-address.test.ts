import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEmailAddress } from './email-address.ts'

/** Lone halves of surrogate pairs included: JSON can carry them. */
const unit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom('😀', 'a', '0', '"'),
)

function refusal(reason: string) {
  return { type: 'value_error', msg: `value is not a valid email address: ${reason}` }
}

function normalForm(text: string): string | undefined {
  const parsed = parseEmailAddress(text)
  return 'value' in parsed ? parsed.value : undefined
}

const BEFORE = 'The email address contains invalid characters before the @-sign:'
const AFTER = 'The part after the @-sign contains invalid characters:'
const RESERVED =
  'An email address cannot have two letters followed by two dashes immediately after the @-sign or after a period, except Punycode.'

describe('an e-mail address', () => {
  it.each([
    ['a@b.com', 'a@b.com'],
    ['John.Doe+tag@Example.COM', 'John.Doe+tag@example.com'],
    ['  a@b.com\n', 'a@b.com'],
    ["o'reilly_{x}=/?^~!@x.org", "o'reilly_{x}=/?^~!@x.org"],
    ['admin@manc.local', 'admin@manc.local'],
    ['admin@manc.test', 'admin@manc.test'],
    ['admin@a.example', 'admin@a.example'],
    ['INFO@x.com', 'info@x.com'],
    ['Jose\u0301@x.com', 'Jos\u00e9@x.com'],
    ['用户@例子.广告', '用户@例子.广告'],
    ['a@BÜCHER.de', 'a@bücher.de'],
    ['a@xn--bcher-kva.de', 'a@bücher.de'],
    ['a@x。com', 'a@x.com'],
    ['John <a@b.com>', 'a@b.com'],
    ['"Doe, J." <a@b.com>', 'a@b.com'],
    ['<a@b.com>', 'a@b.com'],
  ])('%j is accepted as %s', (text, expected) => {
    expect(parseEmailAddress(text)).toEqual({ value: expected })
  })

  it.each([
    ['', 'An email address must have an @-sign.'],
    ['plain', 'An email address must have an @-sign.'],
    ['"a@b.com', 'An email address must have an @-sign.'],
    [
      'a\uff20b.com',
      'The email address has the "full-width" at-sign (@) character instead of a regular at-sign.',
    ],
    ['@b.com', 'There must be something before the @-sign.'],
    ['a@', 'There must be something after the @-sign.'],
    ['a@b', 'The part after the @-sign is not valid. It should have a period.'],
    ['a@localhost', 'The part after the @-sign is not valid. It should have a period.'],
    ['a@b.1', 'The part after the @-sign is not valid. It is not within a valid top-level domain.'],
    ['a..b@x.com', 'An email address cannot have two periods in a row.'],
    ['a@b..com', 'An email address cannot have two periods in a row.'],
    ['.a@x.com', 'An email address cannot start with a period.'],
    ['a.@x.com', 'An email address cannot have a period immediately before the @-sign.'],
    ['a@.b.com', 'An email address cannot have a period immediately after the @-sign.'],
    ['a@b.com.', 'An email address cannot end with a period.'],
    ['a@-b.com', 'An email address cannot have a hyphen immediately after the @-sign.'],
    ['a@b.com-', 'An email address cannot end with a hyphen.'],
    ['a@b-.com', 'An email address cannot have a period and a hyphen next to each other.'],
    ['a@ab--c.com', RESERVED],
    ['a b@x.com', `${BEFORE} SPACE.`],
    ['(a)\\,b@x.com', `${BEFORE} "\\", '(', ')', ','.`],
    ['a\0b@x.com', `${BEFORE} U+0000.`],
    ['a\nb@x.com', `${BEFORE} U+000A.`],
    ['a"b"@x.com', `${BEFORE} '"'.`],
    ['a@b@c.com', `${AFTER} '@'.`],
    ['a@b c.com', `${AFTER} SPACE.`],
    ['a@b_c.com', `${AFTER} '_'.`],
    ["a@b'c.com", `${AFTER} "'".`],
    ['a@💩.com', `${AFTER} '💩'.`],
    ['a\u200b@x.com', 'The email address contains unsafe characters: ZERO WIDTH SPACE.'],
    ['a\u0085b@x.com', 'The email address contains unsafe characters: U+0085.'],
    ['a@x\u202e.com', 'The email address contains unsafe characters: RIGHT-TO-LEFT OVERRIDE.'],
    ['\ud800@x.com', 'The email address contains unsafe characters: U+D800.'],
    ['\u037e@x.com', `After Unicode normalization: ${BEFORE} ';'.`],
    ['"a b"@x.com', 'Quoting the part before the @-sign is not allowed here.'],
    ['"a"@x.com', 'Quoting the part before the @-sign is not allowed here.'],
    ['"a"b@x.com', "Extra character(s) found after close quote: 'b'"],
    ['a@[127.0.0.1]', 'A bracketed IP address after the @-sign is not allowed here.'],
    ['a.b <c@d.com>', "The display name contains invalid characters when not quoted: '.'."],
    ['a <c@d.com> e', "There can't be anything after the email address."],
    ['a@xn--a.com', 'The part after the @-sign is not valid IDNA.'],
  ])('%j is refused: %s', (text, reason) => {
    expect(parseEmailAddress(text)).toEqual(refusal(reason))
  })

  it.each([
    [
      'After the @-sign, periods cannot be separated by so many characters (2 characters too many).',
      `a@${'b'.repeat(65)}.com`,
    ],
    ['The email address is too long after the @-sign (2 characters too many).', `a@${'b.'.repeat(126)}com`],
    [
      'The email address is too long after the @-sign (2 bytes too many after IDNA encoding).',
      `a@${'B.'.repeat(126)}com`,
    ],
    ['The email address is too long (1 character too many).', `${'a'.repeat(249)}@x.com`],
    ['The email address is too long (1-2 characters too many).', `${'é'.repeat(125)}@x.com`],
    [
      'The email address is too long when the part after the @-sign is converted to IDNA ASCII (1 byte too many).',
      `${'a'.repeat(238)}@bücher.de`,
    ],
    ['Length must not exceed 2048 characters', 'a'.repeat(2049)],
  ])('that is too long is refused: %s', (reason, text) => {
    expect(parseEmailAddress(text)).toEqual(refusal(reason))
  })

  it.each([[null], [undefined], [5], [true], [[]], [{}]])('%j is no string', (value) => {
    expect(parseEmailAddress(value)).toEqual({ type: 'string_type', msg: 'Input should be a valid string' })
  })

  it('is refused with a control character anywhere inside', () => {
    const codes = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, at) => at + 0x7f)]
    for (const character of codes.map((code) => String.fromCharCode(code))) {
      if (character === '\xa0') continue
      expect(parseEmailAddress(`a${character}b@x.com`)).toHaveProperty('type', 'value_error')
      expect(parseEmailAddress(`a@x${character}y.com`)).toHaveProperty('type', 'value_error')
    }
  })

  it('has a normal form that is its own normal form', () => {
    const part = fc.string({
      unit: fc.constantFrom(...Array.from('abZ09.-_+éÉß\u0308字')),
      minLength: 1,
      maxLength: 8,
    })
    const anything = fc.string({ unit, maxLength: 12 })
    const address = fc
      .tuple(fc.oneof(part, anything, fc.emailAddress()), part)
      .map(([local, domain]) => (local.includes('@') ? local : `${local}@${domain}.com`))
    fc.assert(
      fc.property(address, (text) => {
        const once = normalForm(text)
        expect(once === undefined ? undefined : normalForm(once)).toBe(once)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['a'.repeat(1e5)],
    ['@'.repeat(1e5)],
    ['"'.repeat(1e5)],
    [`a@${'a.'.repeat(5e4)}`],
    [`${'a '.repeat(5e4)}<`],
    ['😀'.repeat(5e4)],
    [' '.repeat(1e5)],
  ])('is refused at once however long it is (case %#)', (text) => {
    const start = performance.now()
    expect(parseEmailAddress(text)).toHaveProperty('type', 'value_error')
    // In quadratic time it would take several seconds.
    expect(performance.now() - start).toBeLessThan(500)
  })

  it('is read in linear time up to the length that is read at all', () => {
    const start = performance.now()
    const fragments = ['" ', '<', '>', '\\', '"<', 'é.', '\u0301', '.-', 'a <']
    for (const fragment of fragments) {
      parseEmailAddress(`${fragment.repeat(Math.floor(2040 / fragment.length))}a@x.com`)
      parseEmailAddress(`a@${fragment.repeat(Math.floor(2040 / fragment.length))}`)
    }
    expect(performance.now() - start).toBeLessThan(500)
  })
})
