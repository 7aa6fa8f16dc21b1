import fc from 'fast-check'
import Type, { type TSchema } from 'typebox'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { compileValidator, type Parsed, parsedBy, type ValidationItem } from './index.ts'

const Dictionary = Type.Record(Type.String(), Type.Unknown())
const UserCreate = Type.Object({
  username: Type.String({ format: 'email' }),
  password: Type.String({ minLength: 8, maxLength: 256 }),
  roles: Type.Array(Type.String()),
})
const UserUpdate = Type.Object({
  password: Type.Optional(Type.Union([Type.String({ minLength: 8 }), Type.Null()])),
  roles: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
})
const AgentCreate = Type.Object({
  ap_id: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_:-]{0,63}$' }),
  password: Type.String({ minLength: 1 }),
  configuration: Dictionary,
})
const EmulatorSpec = Type.Object({
  access_point_type: Type.String({ pattern: '^(5G|WiFi|LiFi)$' }),
  num_access_points: Type.Integer({ exclusiveMinimum: 0, maximum: 1000 }),
  locations: Type.Array(Type.String(), { minItems: 1 }),
  num_devices: Type.Integer({ exclusiveMinimum: 0 }),
  duration: Type.Integer({ exclusiveMinimum: 0 }),
})
const EmulatorSpinupRequest = Type.Object({ emulators: Type.Array(EmulatorSpec, { minItems: 1 }) })

function run(schema: TSchema, value: unknown): { result: unknown; items: ValidationItem[] } {
  const items: ValidationItem[] = []
  const result: unknown = compileValidator(schema, { source: 'body' })(value, ['body'], items)
  return { result, items }
}

function missing(...loc: (string | number)[]): ValidationItem {
  return { loc: ['body', ...loc], msg: 'Field required', type: 'missing' }
}

function parseWindow(value: unknown): Parsed<{ minutes: number }> {
  const minutes = Number(value)
  return minutes > 0 ? { value: { minutes } } : { type: 'value_error', msg: 'Value error, not a window' }
}

const notAnObject = 'Input should be a valid dictionary or object to extract fields from'

describe('a model', () => {
  it('gives its fields coerced and leaves unknown ones out', () => {
    const sent = { username: ' A@B.COM ', password: 'password', roles: [], admin: true }
    expect(run(UserCreate, sent)).toEqual({
      result: { username: 'A@b.com', password: 'password', roles: [] },
      items: [],
    })
  })

  it('has the static type of its schema', () => {
    const read = compileValidator(UserUpdate, { source: 'body' })
    expectTypeOf(read).returns.toEqualTypeOf<{ password?: string | null; roles?: string[] | null }>()
    const since = Type.Object({ since: Type.Unsafe<Date>(Type.String({ format: 'date-time' })) })
    expectTypeOf(compileValidator(since, { source: 'query' })).returns.toEqualTypeOf<{ since: Date }>()
  })

  it('reports every failing field at once, in the order of the definition', () => {
    expect(run(UserCreate, { roles: [1, 'user', null], password: 'short' }).items).toEqual([
      missing('username'),
      {
        loc: ['body', 'password'],
        msg: 'String should have at least 8 characters',
        type: 'string_too_short',
      },
      { loc: ['body', 'roles', 0], msg: 'Input should be a valid string', type: 'string_type' },
      { loc: ['body', 'roles', 2], msg: 'Input should be a valid string', type: 'string_type' },
    ])
  })

  it('reports nested failures with their whole path', () => {
    const body = {
      emulators: [
        { access_point_type: '6G', num_access_points: 0, locations: [], num_devices: '3', duration: 1.5 },
        5,
        { access_point_type: 'LiFi', num_access_points: 1001, locations: ['Bristol'], num_devices: true },
      ],
    }
    expect(run(EmulatorSpinupRequest, body).items).toEqual([
      {
        loc: ['body', 'emulators', 0, 'access_point_type'],
        msg: "String should match pattern '^(5G|WiFi|LiFi)$'",
        type: 'string_pattern_mismatch',
      },
      {
        loc: ['body', 'emulators', 0, 'num_access_points'],
        msg: 'Input should be greater than 0',
        type: 'greater_than',
      },
      {
        loc: ['body', 'emulators', 0, 'locations'],
        msg: 'List should have at least 1 item after validation, not 0',
        type: 'too_short',
      },
      {
        loc: ['body', 'emulators', 0, 'duration'],
        msg: 'Input should be a valid integer, got a number with a fractional part',
        type: 'int_from_float',
      },
      { loc: ['body', 'emulators', 1], msg: notAnObject, type: 'model_attributes_type' },
      {
        loc: ['body', 'emulators', 2, 'num_access_points'],
        msg: 'Input should be less than or equal to 1000',
        type: 'less_than_equal',
      },
      missing('emulators', 2, 'duration'),
    ])
  })

  it.each([
    [[]],
    ['text'],
    [5],
    [true],
    [null],
    [Buffer.from('{}')],
    [new URLSearchParams('a=b')],
    [new Date()],
  ])('cannot be read from %o', (value) => {
    expect(run(UserCreate, value).items).toEqual([
      { loc: ['body'], msg: notAnObject, type: 'model_attributes_type' },
    ])
  })

  it('takes null for a field that may be null, and keeps an absent one absent', () => {
    expect(run(UserUpdate, { password: null })).toEqual({ result: { password: null }, items: [] })
    expect(run(UserUpdate, {})).toEqual({ result: {}, items: [] })
  })

  it('reports a field that may be null as if it could not', () => {
    expect(run(UserUpdate, { password: 'short', roles: 'admin' }).items).toEqual([
      {
        loc: ['body', 'password'],
        msg: 'String should have at least 8 characters',
        type: 'string_too_short',
      },
      { loc: ['body', 'roles'], msg: 'Input should be a valid list', type: 'list_type' },
    ])
  })

  it('does not find a field on the prototype of every object', () => {
    const sent: unknown = JSON.parse('{"__proto__":{"username":"a@b.com","password":"password","roles":[]}}')
    expect(run(UserCreate, sent).items.map(({ type }) => type)).toEqual(['missing', 'missing', 'missing'])
  })
})

describe('a free-form object', () => {
  it('is returned unchanged, by identity', () => {
    const configuration: unknown = JSON.parse(
      '{"__proto__":{"a":1},"constructor":2,"":[null,{"x":"\\ud800\\u0000"}]}',
    )
    const before = JSON.stringify(configuration)
    const { result } = run(AgentCreate, { ap_id: 'ap-1', password: 'x', configuration })
    expect(result).toHaveProperty('configuration', configuration)
    expect(run(Dictionary, configuration).result).toBe(configuration)
    expect(JSON.stringify(configuration)).toBe(before)
  })

  it.each([[[]], ['text'], [null], [5], [Buffer.from('{}')]])('is not %o', (value) => {
    expect(run(Dictionary, value).items).toEqual([
      { loc: ['body'], msg: 'Input should be a valid dictionary', type: 'dict_type' },
    ])
  })

  it('may also be written with additionalProperties', () => {
    const free = {}
    expect(run(Type.Object({}, { additionalProperties: true }), free).result).toBe(free)
  })
})

describe('a list', () => {
  it('of elements that need no coercion is returned by identity', () => {
    const list = [{ a: 1 }, {}]
    expect(run(Type.Array(Dictionary), list).result).toBe(list)
    expect(run(Type.Array(Type.Unknown()), list).result).toBe(list)
  })

  it('of elements that are coerced is a new list', () => {
    const list = [1, '2', 3]
    expect(run(Type.Array(Type.Integer()), list)).toEqual({ result: [1, 2, 3], items: [] })
    expect(list).toEqual([1, '2', 3])
  })

  it.each([['x'], [{}], [null], [5], [Buffer.from('[]')]])('is not %o', (value) => {
    expect(run(Type.Array(Type.Unknown()), value).items).toEqual([
      { loc: ['body'], msg: 'Input should be a valid list', type: 'list_type' },
    ])
  })

  it.each([
    [{ minItems: 1 }, [], 'too_short', 'List should have at least 1 item after validation, not 0'],
    [{ minItems: 2 }, ['a'], 'too_short', 'List should have at least 2 items after validation, not 1'],
    [{ maxItems: 1 }, [1, 2, 3], 'too_long', 'List should have at most 1 item after validation, not 3'],
    [
      { maxItems: 2 },
      ['a', 'b', 'c'],
      'too_long',
      'List should have at most 2 items after validation, not 3',
    ],
  ])('keeps %j, which %j does not', (rules, value, type, msg) => {
    expect(run(Type.Array(Type.String(), rules), value).items).toEqual([{ loc: ['body'], msg, type }])
  })

  it('that is too short is not reported as such while its elements are wrong', () => {
    expect(run(Type.Array(Type.String(), { minItems: 2 }), [5]).items).toEqual([
      { loc: ['body', 0], msg: 'Input should be a valid string', type: 'string_type' },
    ])
  })

  it('with very many wrong elements gets a bounded number of items', () => {
    expect(run(Type.Array(Type.String()), Array(100_000).fill(1)).items).toHaveLength(1000)
  })
})

describe('a default', () => {
  it('is used for an absent field only', () => {
    const schema = Type.Object({
      scope: Type.String({ default: '' }),
      size: Type.Optional(Type.Integer({ default: 5 })),
    })
    expect(run(schema, {}).result).toEqual({ scope: '', size: 5 })
    expect(run(schema, { scope: null }).items).toEqual([
      { loc: ['body', 'scope'], msg: 'Input should be a valid string', type: 'string_type' },
    ])
  })

  it('that is mutable is copied for each request', () => {
    const read = compileValidator(Type.Object({ list: Type.Array(Type.String(), { default: [] }) }), {
      source: 'body',
    })
    read({}, [], []).list.push('changed')
    expect(read({}, [], [])).toEqual({ list: [] })
  })
})

describe('a schema with its own parser', () => {
  const Window = parsedBy(Type.Union([Type.Integer(), Type.String()], { default: 5 }), parseWindow)
  const schema = Type.Object({ window: Window, other: Type.Optional(Window) })

  it('is read by the parser, its default too', () => {
    expect(run(schema, { window: '60' })).toEqual({
      result: { window: { minutes: 60 }, other: { minutes: 5 } },
      items: [],
    })
    expectTypeOf(compileValidator(schema, { source: 'query' })).returns.toEqualTypeOf<{
      window: { minutes: number }
      other?: { minutes: number }
    }>()
  })

  it('is refused with the message of the parser', () => {
    expect(run(schema, { window: '1y' }).items).toEqual([
      { loc: ['body', 'window'], msg: 'Value error, not a window', type: 'value_error' },
    ])
  })

  it('shows nothing of the parser in its JSON', () => {
    expect(JSON.parse(JSON.stringify(Window))).toEqual({
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      default: 5,
    })
  })
})

describe('a validator', () => {
  it('never throws on any JSON, and either gives a value or an item', () => {
    const schemas = [UserCreate, UserUpdate, AgentCreate, EmulatorSpinupRequest].map((schema) =>
      compileValidator<TSchema>(schema, { source: 'body' }),
    )
    const names = [
      'username',
      'password',
      'roles',
      'ap_id',
      'configuration',
      'emulators',
      'duration',
      'locations',
    ]
    const object = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 3 }))
    const body = fc.oneof(object, fc.record({ emulators: fc.array(object) }), fc.jsonValue())
    fc.assert(
      fc.property(body, (value) => {
        for (const validate of schemas) {
          const items: ValidationItem[] = []
          const result: unknown = validate(value, ['body'], items)
          expect(items.length > 0 || typeof result === 'object').toBe(true)
          for (const item of items) expect(item.loc[0]).toBe('body')
        }
      }),
    )
  })

  it('reads a small model in microseconds', () => {
    const validate = compileValidator(AgentCreate, { source: 'body' })
    const body = { ap_id: 'ap-1', password: 'secret', configuration: {} }
    const items: ValidationItem[] = []
    for (let round = 0; round < 20_000; round++) validate(body, ['body'], items)
    const start = performance.now()
    for (let round = 0; round < 20_000; round++) validate(body, ['body'], items)
    expect((performance.now() - start) / 20).toBeLessThan(50)
  })
})
