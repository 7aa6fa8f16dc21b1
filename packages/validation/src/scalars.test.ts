import Type, { type TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { compileValidator, type ValidationItem } from './index.ts'

function run(schema: TSchema, value: unknown): { result: unknown; items: ValidationItem[] } {
  const items: ValidationItem[] = []
  const result: unknown = compileValidator(schema, { source: 'body' })(value, ['body', 'x'], items)
  return { result, items }
}

function refused(type: string, msg: string) {
  return [{ loc: ['body', 'x'], msg, type }]
}

describe('an integer', () => {
  it.each([
    [5, 5],
    [5.0, 5],
    [-0, 0],
    [true, 1],
    [false, 0],
    ['5', 5],
    [' 5\n', 5],
    ['+5', 5],
    ['-5', -5],
    ['007', 7],
    ['5.00', 5],
    ['-0.0', 0],
    ['1_000', 1000],
    ['1_0.0', 10],
    [`${'0'.repeat(5000)}1`, 1],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ])('takes %j as %j', (value, expected) => {
    expect(run(Type.Integer(), value)).toEqual({ result: expected, items: [] })
  })

  it.each([
    ['abc'],
    [''],
    ['  '],
    ['5.5'],
    ['5.'],
    ['.0'],
    ['1__0'],
    ['_1'],
    ['1_'],
    ['-_1'],
    ['5.0_0'],
    ['1e3'],
    ['0x10'],
    ['--5'],
    ['- 5'],
    ['5 0'],
    ['５'],
    ['\x1c5'],
    ['\ufeff5'],
    ['NaN'],
    ['5\0'],
  ])('cannot be parsed from %j', (value) => {
    expect(run(Type.Integer(), value).items).toEqual(
      refused('int_parsing', 'Input should be a valid integer, unable to parse string as an integer'),
    )
  })

  it.each([[null], [[]], [{}], [[5]]])('is not of the type of %j', (value) => {
    expect(run(Type.Integer(), value).items).toEqual(refused('int_type', 'Input should be a valid integer'))
  })

  it('has no fractional part', () => {
    expect(run(Type.Integer(), 5.5).items).toEqual(
      refused('int_from_float', 'Input should be a valid integer, got a number with a fractional part'),
    )
  })

  it('is finite', () => {
    expect(run(Type.Integer(), Number.POSITIVE_INFINITY).items).toEqual(
      refused('finite_number', 'Input should be a finite number'),
    )
  })

  it.each([[2 ** 53], [1e30], ['9'.repeat(30)], ['9'.repeat(5000)]])(
    'is refused when it cannot be kept exactly (case %#)',
    (value) => {
      expect(run(Type.Integer(), value).items).toEqual(
        refused('int_parsing_size', 'Unable to parse input string as an integer, exceeded maximum size'),
      )
    },
  )

  it.each([
    [{ exclusiveMinimum: 0 }, 0, 'greater_than', 'Input should be greater than 0'],
    [{ minimum: 1 }, '0', 'greater_than_equal', 'Input should be greater than or equal to 1'],
    [{ maximum: 1000 }, 1001, 'less_than_equal', 'Input should be less than or equal to 1000'],
    [{ exclusiveMaximum: 10 }, 10, 'less_than', 'Input should be less than 10'],
    [{ maximum: 1000 }, '9'.repeat(30), 'less_than_equal', 'Input should be less than or equal to 1000'],
    [{ minimum: 5, maximum: 3 }, 4, 'less_than_equal', 'Input should be less than or equal to 3'],
  ])('keeps within %j, which %j does not', (bounds, value, type, msg) => {
    expect(run(Type.Integer(bounds), value).items).toEqual(refused(type, msg))
  })
})

describe('a number', () => {
  it.each([
    [5, 5],
    [true, 1],
    [' 5.5 ', 5.5],
    ['1e3', 1000],
    ['.5', 0.5],
    ['5.', 5],
    ['1_000.5', 1000.5],
  ])('takes %j as %j', (value, expected) => {
    expect(run(Type.Number(), value)).toEqual({ result: expected, items: [] })
  })

  it.each([['abc'], [''], ['1__0'], ['_1'], ['1_'], ['0x1'], ['e5'], ['５']])(
    'cannot be parsed from %j',
    (value) => {
      expect(run(Type.Number(), value).items).toEqual(
        refused('float_parsing', 'Input should be a valid number, unable to parse string as a number'),
      )
    },
  )

  it.each([[null], [[]], [{}]])('is not of the type of %j', (value) => {
    expect(run(Type.Number(), value).items).toEqual(refused('float_type', 'Input should be a valid number'))
  })

  it.each([['inf'], ['-Infinity'], ['NaN'], ['1e400'], [Number.POSITIVE_INFINITY]])(
    'is finite, unlike %j',
    (value) => {
      expect(run(Type.Number(), value).items).toEqual(
        refused('finite_number', 'Input should be a finite number'),
      )
    },
  )

  it('shows its bounds as they are written', () => {
    expect(run(Type.Number({ exclusiveMaximum: 10.5 }), 11).items).toEqual(
      refused('less_than', 'Input should be less than 10.5'),
    )
  })
})

describe('a boolean', () => {
  it.each([[true], [1], ['1'], ['true'], ['TRUE'], ['t'], ['on'], ['Yes'], ['y']])(
    'takes %j as true',
    (value) => {
      expect(run(Type.Boolean(), value)).toEqual({ result: true, items: [] })
    },
  )

  it.each([[false], [0], ['0'], ['false'], ['F'], ['off'], ['no'], ['N']])('takes %j as false', (value) => {
    expect(run(Type.Boolean(), value)).toEqual({ result: false, items: [] })
  })

  it.each([[2], ['abc'], [''], [' true ']])('cannot interpret %j', (value) => {
    expect(run(Type.Boolean(), value).items).toEqual(
      refused('bool_parsing', 'Input should be a valid boolean, unable to interpret input'),
    )
  })

  it.each([[null], [0.5], [[]], [{}]])('is not of the type of %j', (value) => {
    expect(run(Type.Boolean(), value).items).toEqual(refused('bool_type', 'Input should be a valid boolean'))
  })
})

describe('a string', () => {
  it.each([[5], [5.5], [true], [null], [[]], [{}]])('is never made from %j', (value) => {
    expect(run(Type.String(), value).items).toEqual(refused('string_type', 'Input should be a valid string'))
  })

  it('may hold NUL unless a pattern forbids it', () => {
    expect(run(Type.String(), 'a\0b').result).toBe('a\0b')
    expect(run(Type.String({ pattern: '^[^\\u0000]*$' }), 'a\0b').items).toEqual(
      refused('string_pattern_mismatch', "String should match pattern '^[^\\u0000]*$'"),
    )
  })

  it.each([
    ['an unbounded string', Type.String()],
    ['a bounded string', Type.String({ minLength: 3 })],
    ['an integer', Type.Integer()],
    ['a number', Type.Number()],
    ['a boolean', Type.Boolean()],
    ['a UUID', Type.String({ format: 'uuid' })],
    ['a date-time', Type.String({ format: 'date-time' })],
  ])('with a lone surrogate is refused as %s', (_name, schema) => {
    expect(run(schema, 'a\ud800').items).toEqual(
      refused(
        'string_unicode',
        'Input should be a valid string, unable to parse raw data as a unicode string',
      ),
    )
  })

  it.each([
    [{ minLength: 8 }, 'short', 'string_too_short', 'String should have at least 8 characters'],
    [{ minLength: 1 }, '', 'string_too_short', 'String should have at least 1 character'],
    [{ minLength: 3 }, '😀😀', 'string_too_short', 'String should have at least 3 characters'],
    [{ maxLength: 10 }, 'x'.repeat(11), 'string_too_long', 'String should have at most 10 characters'],
    [{ maxLength: 1 }, 'ab', 'string_too_long', 'String should have at most 1 character'],
    [{ maxLength: 0 }, 'a', 'string_too_long', 'String should have at most 0 characters'],
    [
      { pattern: '^(5G|WiFi|LiFi)$' },
      '6G',
      'string_pattern_mismatch',
      "String should match pattern '^(5G|WiFi|LiFi)$'",
    ],
    [{ pattern: '^a$' }, 'a\n', 'string_pattern_mismatch', "String should match pattern '^a$'"],
    [{ minLength: 3, pattern: '^x' }, 'a', 'string_too_short', 'String should have at least 3 characters'],
  ])('keeps %j, which %j does not', (rules, value, type, msg) => {
    expect(run(Type.String(rules), value).items).toEqual(refused(type, msg))
  })

  it('is measured in characters, not in units of UTF-16', () => {
    expect(run(Type.String({ maxLength: 2 }), '😀😀').items).toEqual([])
  })

  it('matches a pattern anywhere unless the pattern is anchored', () => {
    expect(run(Type.String({ pattern: 'password' }), 'my password').items).toEqual([])
  })

  it('of format email obeys its lengths in its normal form', () => {
    const schema = Type.String({ format: 'email', maxLength: 8 })
    expect(run(schema, '  a@B.com  ').result).toBe('a@b.com')
    expect(run(schema, 'abc@b.com').items).toEqual(
      refused('string_too_long', 'String should have at most 8 characters'),
    )
  })
})

describe('a literal', () => {
  const kinds = ['user', 'agent', 'third_party_app']
  const msg = "Input should be 'user', 'agent' or 'third_party_app'"

  it.each([
    ['a union of literals', Type.Union(kinds.map((kind) => Type.Literal(kind))), 'literal_error'],
    ['an enum', Type.Enum(kinds), 'literal_error'],
    [
      'a union with errorType enum',
      Type.Union(
        kinds.map((kind) => Type.Literal(kind)),
        { errorType: 'enum' },
      ),
      'enum',
    ],
    ['an enum with errorType enum', Type.Enum(kinds, { errorType: 'enum' }), 'enum'],
  ])('from %s is refused by the name of its error', (_name, schema, type) => {
    expect(run(schema, 'agent')).toEqual({ result: 'agent', items: [] })
    for (const value of ['guest', 'User', '', null, 5, []])
      expect(run(schema, value).items).toEqual(refused(type, msg))
  })

  it('of one or two choices is listed without commas', () => {
    expect(run(Type.Literal('a'), 'x').items).toEqual(refused('literal_error', "Input should be 'a'"))
    expect(run(Type.Enum(['a', 'b']), 'x').items).toEqual(
      refused('literal_error', "Input should be 'a' or 'b'"),
    )
  })
})

describe('a UUID', () => {
  const id = '550e8400-e29b-41d4-a716-446655440000'

  it.each([[id], [id.toUpperCase()], [id.replaceAll('-', '')], [`{${id}}`], [`urn:uuid:${id}`]])(
    'is accepted as %s',
    (value) => {
      expect(run(Type.String({ format: 'uuid' }), value)).toEqual({ result: id, items: [] })
    },
  )

  it.each([
    ['x', 'invalid character: found `x` at 1'],
    ['1x', 'invalid character: found `x` at 2'],
    [`${id.slice(0, -1)}é`, 'invalid character: found `é` at 36'],
    [`{${id.slice(0, -1)}x}`, 'invalid character: found `x` at 36'],
    ['{x}', 'invalid character: found `x` at 2'],
    ['', 'invalid length: expected length 32 for simple format, found 0'],
    ['abc', 'invalid length: expected length 32 for simple format, found 3'],
    ['a-b', 'invalid group count: expected 5, found 2'],
    ['{}', 'invalid group count: expected 5, found 1'],
    ['----', 'invalid group length in group 0: expected 8, found 0'],
    [`${id}0`, 'invalid group length in group 4: expected 12, found 13'],
  ])('%j is refused: %s', (value, reason) => {
    expect(run(Type.String({ format: 'uuid' }), value).items).toEqual(
      refused('uuid_parsing', `Input should be a valid UUID, ${reason}`),
    )
  })

  it('must be a string', () => {
    expect(run(Type.String({ format: 'uuid' }), 5).items).toEqual(
      refused('uuid_type', 'UUID input should be a string, bytes or UUID object'),
    )
  })
})
