import fc from 'fast-check'

/** Texts that have broken parsers, databases, routers and queries. */
const knownTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ufeff',
  '\ud800',
  'x\udfff',
  '\u202e\u0301\u200b',
  '👩‍👩‍👧‍👦',
  'İ',
  'ß',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '../../../etc/passwd',
  '..\\..\\windows',
  '%2e%2e%2f',
  '%',
  '%zz',
  '%00',
  '%c0%ae',
  '//evil.test/',
  '?',
  '#',
  '*',
  '+',
  '.',
  '..',
  'me',
  'public',
  "' or 1=1 --",
  "'; drop table users; --",
  '"} or {__name__!="',
  '$(reboot)',
  '`reboot`',
  '{{7*7}}',
  '<script>alert(1)</script>',
  'a\r\nSet-Cookie: x=1',
  'NaN',
  'Infinity',
  '-0',
  '0x10',
  '1e400',
  '9'.repeat(309),
  '-1',
  '9223372036854775808',
  'null',
  'true',
  '[]',
  '{}',
  '0000-00-00T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '+275760-09-13T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
] as const

const longTexts = fc
  .tuple(fc.constantFrom('x', ' ', '9', '"', '\\', 'é', '😀', '%', '.'), fc.constantFrom(65, 129, 257, 4097))
  .map(([unit, count]) => unit.repeat(count))

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...knownTexts) },
  { weight: 2, arbitrary: longTexts },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
)

const hostileNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, -(2 ** 63), 1e21, 1e308, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

/** Nested to a depth around the limit of the server. */
const nested = fc
  .tuple(fc.constantFrom('list', 'object'), fc.constantFrom(10, 63, 64, 65, 200))
  .map(([kind, depth]) => {
    let value: unknown = 1
    for (let level = 0; level < depth; level++) value = kind === 'list' ? [value] : { a: value }
    return value
  })

const wide = fc.constantFrom(300, 2000).map((count) => Array.from({ length: count }, (_, n) => n))

/** Own members with the names of inherited ones. `JSON.parse` creates them; an object literal cannot. */
const withPrototypeKeys = fc
  .constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'length')
  .map((name): unknown => JSON.parse(`{${JSON.stringify(name)}:{"isAdmin":true,"roles":["admin"]}}`))

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 3, arbitrary: hostileNumber },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], ['']) },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: wide },
  { weight: 2, arbitrary: withPrototypeKeys },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** Changes of a JSON text that no serialiser would write. */
const textChanges: readonly ((text: string, at: number) => string)[] = [
  (text, at) => text.slice(0, at % (text.length + 1)),
  (text) => `\ufeff${text}`,
  (text) => `${text},`,
  (text) => `${text}${text}`,
  (text) => text.replace(/"(\w+)":/, '"$1":1,"$1":'),
  (text) => text.replace(/[\d.]+/, '9'.repeat(308)),
  (text) => text.replace(/[\d.]+/, '1e400'),
  (text) => text.replace(/[\d.]+/, 'NaN'),
  (text) => text.replace(/"[^"]*"/, String.raw`"\ud800"`),
  (text) => text.replace(/"[^"]*"/, String.raw`"\u0000"`),
  (text) => text.replace(/"[^"]*"/, "'x'"),
  (text) => text.replace('{', '{/* */'),
  (text) => text.replace('{', `{"__proto__":{"roles":["admin"]},`),
  (text) => `${'['.repeat(5000)}${text}`,
  (text) => `${' '.repeat(5000)}${text}`,
  (text, at) => text.slice(0, at % (text.length + 1)) + String.fromCharCode(at % 32) + text,
]

/** A JSON text with a syntactic fault, or one that parsers read differently. */
export const brokenJson = (value: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc
    .tuple(value, fc.constantFrom(...textChanges), fc.nat(4096))
    .map(([content, change, at]) => change(JSON.stringify(content) ?? 'null', at))

/** Bytes that are no UTF-8, or another encoding of the text. */
export const oddBytes = (text: fc.Arbitrary<string>): fc.Arbitrary<Buffer> =>
  fc.oneof(
    text.map((each) => Buffer.from(each, 'utf16le')),
    text.map((each) => Buffer.concat([Buffer.from(each), Buffer.from([0xc0, 0xaf, 0xff])])),
    text.map((each) => Buffer.from(each, 'latin1')),
    fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each)),
  )
