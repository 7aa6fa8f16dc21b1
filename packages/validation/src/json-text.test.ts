import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_DEPTH, parseJson } from './json-text.ts'

/** Lone halves of surrogate pairs included: JSON can carry them. */
const unit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom('😀', 'a', '0', '"'),
)

/** Malformed texts with `JSONDecodeError.pos` as CPython 3.11 gives it. */
const PYTHON_OFFSETS: [string, number][] = [
  ['', 0],
  ['   ', 3],
  ['nul', 0],
  ['tru', 0],
  ['[1,2', 4],
  ['[1,2,]', 5],
  ['[1 2]', 3],
  ['[1,,2]', 3],
  ['[,]', 1],
  ['[', 1],
  ['{', 1],
  ['{"a"', 4],
  ['{"a":', 5],
  ['{"a":1', 6],
  ['{"a":1,', 7],
  ['{"a":1,}', 7],
  ['{"a" 1}', 5],
  ['{a:1}', 1],
  ["{'a':1}", 1],
  ['{"a":1 "b":2}', 7],
  ['{"a":}', 5],
  ['{,}', 1],
  ['{1:2}', 1],
  ['{"a":1}}', 7],
  ['[]]', 2],
  ['[1]x', 3],
  ['1 2', 2],
  ['01', 1],
  ['-', 0],
  ['-a', 0],
  ['1.', 1],
  ['[1.]', 2],
  ['.5', 0],
  ['+1', 0],
  ['0x10', 1],
  ['1e', 1],
  ['1e+', 1],
  ['[1e5.]', 4],
  ['"abc', 0],
  ['"a\tb"', 2],
  ['"a\nb"', 2],
  ['"a\u0000b"', 2],
  ['"\\x"', 1],
  ['"\\', 0],
  ['"abc\\"', 0],
  ['"\\u12g4"', 2],
  ['"\\u12"', 2],
  ['"\\u"', 2],
  ['"\\u12345', 0],
  ['"\\u1234', 2],
  ['"\\ud83d\\u12zz"', 8],
  ['"\\ud83d\\ude0"', 8],
  ['truex', 4],
  ['True', 0],
  ['None', 0],
  ['undefined', 0],
  ['NULL', 0],
  ['\ud83d\ude00', 0],
  ['["\ud83d\ude00",]', 5],
  ['{"\ud83d\ude00":"\u00e9"', 8],
  ['[\u00a01]', 1],
  ['\n{\n  "a": 1,\n}\n', 13],
  ['{"a":[{"b":[1,{"c":}]}]}', 19],
  ['/* c */ 1', 0],
  ['["a","b"', 8],
  ['"a" "b"', 4],
  ['{"a":1,"a"}', 10],
  ['[true,fals]', 6],
  ["['a']", 1],
]

const TOO_DEEP = {
  detail: [{ loc: ['body'], msg: 'JSON nested deeper than 64 levels', type: 'json_too_deep' }],
}

function decodeError(offset: number) {
  return { detail: [{ loc: ['body', offset], msg: 'JSON decode error', type: 'json_invalid' }] }
}

function nested(levels: number, core = ''): string {
  return '['.repeat(levels) + core + ']'.repeat(levels)
}

function millisecondsOf(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

describe('a JSON text', () => {
  it('gives the value that JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        expect(parseJson(text)).toEqual({ value: JSON.parse(text) })
      }),
    )
  })

  it('keeps a member named __proto__ as a plain member', () => {
    const parsed = parseJson('{"__proto__":{"admin":true}}')
    expect(JSON.stringify(parsed)).toBe('{"value":{"__proto__":{"admin":true}}}')
  })

  it('may start with a byte order mark, which does not count', () => {
    expect(parseJson('\ufeff{"a":1}')).toEqual({ value: { a: 1 } })
    expect(parseJson('\ufeff[1,]')).toEqual(decodeError(3))
  })
})

describe('a malformed JSON text', () => {
  it.each(PYTHON_OFFSETS)('%j is refused at offset %i, as Python does', (text, offset) => {
    expect(parseJson(text)).toEqual(decodeError(offset))
  })

  it.each([
    ['NaN', 0],
    ['[1,NaN]', 3],
    ['{"a":Infinity}', 5],
    ['[-Infinity]', 1],
  ])('%s is refused at the start of the literal, although Python accepts it', (text, offset) => {
    expect(parseJson(text)).toEqual(decodeError(offset))
  })

  it('with a number that no double can hold is refused: it would come back as null', () => {
    const long = [
      '9'.repeat(400),
      `${'9'.repeat(210)}e99`,
      `${'9'.repeat(209)}e0100`,
      `${'9'.repeat(300)}.5E+9`,
    ]
    for (const text of ['{"a": 1e400}', '[[-1E+999]]', ...long.map((number) => `{"a": ${number}}`)])
      expect(parseJson(text)).toEqual({
        detail: [{ loc: ['body'], msg: 'Input should be a finite number', type: 'finite_number' }],
      })
    for (const text of [
      '{"a": 1e300}',
      '{"a": "1e400"}',
      '{"a": 1e-400}',
      '9'.repeat(300),
      `${'9'.repeat(209)}e99`,
    ])
      expect(parseJson(text)).toHaveProperty('value')
  })

  it('always gets an offset within itself', () => {
    const cut = fc.tuple(fc.json(), fc.nat(), fc.string({ unit, maxLength: 3 }))
    fc.assert(
      fc.property(cut, ([text, at, insert]) => {
        const position = at % (text.length + 1)
        const broken = text.slice(0, position) + insert + text.slice(position + 1)
        const parsed = parseJson(broken)
        if ('value' in parsed || parsed.detail[0].type === 'finite_number') return
        const offset = Number(parsed.detail[0].loc[1])
        expect(offset).toBeGreaterThanOrEqual(0)
        expect(offset).toBeLessThanOrEqual(broken.length)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the time to parse a JSON text', () => {
  /** The shortest of several attempts: other load on the machine only makes single attempts slower. */
  const shortestMs = (text: string) =>
    Math.min(...Array.from({ length: 7 }, () => millisecondsOf(() => parseJson(text))))
  const listOf = (item: string, bytes = 2 ** 19) =>
    `[${Array(Math.floor(bytes / item.length))
      .fill(item)
      .join()}]`

  it.each([12, 100, 308])('per byte is about the same for numbers of %i digits as for text', (digits) => {
    const ofNumbers = shortestMs(listOf('9'.repeat(digits)))
    expect(ofNumbers / shortestMs(listOf(`"${'x'.repeat(10)}"`))).toBeLessThan(12)
  })

  it.each(['1e99', '0.1e-9', '"\\\\"', '"\\"', '[[]]', '{"":""}', ' 1 ', '1.'])(
    'grows with the length only, with %s repeated',
    (item) => {
      const ratio = shortestMs(listOf(item)) / shortestMs(listOf(item, 2 ** 16))
      expect(ratio).toBeLessThan(8 * 6)
    },
  )
})

describe('the nesting of a JSON text', () => {
  it('may be as deep as the limit', () => {
    expect(parseJson(nested(MAX_DEPTH))).toHaveProperty('value')
    expect(parseJson('{"a":'.repeat(MAX_DEPTH) + '1' + '}'.repeat(MAX_DEPTH))).toHaveProperty('value')
  })

  it.each([
    ['lists', nested(MAX_DEPTH + 1)],
    ['objects', '{"a":'.repeat(MAX_DEPTH + 1) + '1' + '}'.repeat(MAX_DEPTH + 1)],
    ['lists after many others', `[${'[],'.repeat(100)}${nested(MAX_DEPTH)}]`],
    ['lists that are never closed', '['.repeat(MAX_DEPTH + 1)],
  ])('is refused beyond the limit: %s', (_name, text) => {
    expect(parseJson(text)).toEqual(TOO_DEEP)
  })

  it('counts no brackets inside strings', () => {
    const text = JSON.stringify(['['.repeat(200), '"{\\', '\\"[['])
    expect(parseJson(text)).toEqual({ value: JSON.parse(text) })
  })

  it('counts how deep, not how many', () => {
    expect(parseJson(`[${'[],'.repeat(1000)}{}]`)).toHaveProperty('value')
  })

  it('is found in a mebibyte of brackets without a stack overflow, and at once', () => {
    const text = '['.repeat(2 ** 20)
    expect(parseJson(text)).toEqual(TOO_DEEP)
    expect(millisecondsOf(() => parseJson(text))).toBeLessThan(50)
  })
})
