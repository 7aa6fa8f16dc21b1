import Type, { type TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { compileValidator, parsedBy } from './index.ts'

const Model = Type.Object({ a: Type.String() })

describe('a schema that cannot be enforced in full', () => {
  it.each<[string, TSchema]>([
    ['a union of different types', Type.Union([Type.Integer(), Type.String()])],
    ['a union of models', Type.Union([Model, Type.Object({})])],
    ['a literal number', Type.Literal(5)],
    ['an unknown format', Type.String({ format: 'hostname' })],
    ['a length beside a date-time', Type.String({ format: 'date-time', maxLength: 5 })],
    ['an unknown keyword', Type.Integer({ multipleOf: 5 })],
    ['a bound that needs an exponent', Type.Number({ maximum: 1e30 })],
    ['a model that forbids other fields', Type.Object({ a: Type.String() }, { additionalProperties: false })],
    ['a dictionary of strings', Type.Record(Type.String(), Type.String())],
    ['an object of no kind', Type.Unsafe({ type: 'object' })],
    ['a list of nothing', Type.Unsafe({ type: 'array' })],
    ['a tuple', Type.Tuple([Type.String()])],
    ['an intersection', Type.Intersect([Model, Type.Object({ b: Type.String() })])],
    ['a field that every object has', Type.Object({ constructor: Type.String() })],
    ['a pattern that is no expression', Type.String({ pattern: '(' })],
    ['null alone', Type.Null()],
    ['a record with a pattern of names', Type.Record(Type.String({ pattern: '^x' }), Type.Unknown())],
    ['a required field without a schema', Type.Unsafe({ type: 'object', properties: {}, required: ['a'] })],
    ['a hidden refinement', Type.Refine(Type.String(), (text) => text !== '')],
    ['a hidden codec', Type.Codec(Type.String()).Decode(Number).Encode(String)],
    ['a reference', Type.Ref('Model')],
    [
      'a default that its parser refuses',
      Type.Object({ a: parsedBy(Type.Unknown({ default: 1 }), () => ({ type: 't', msg: 'm' })) }),
    ],
  ])('does not compile: %s', (_name, schema) => {
    expect(() => compileValidator(schema, { source: 'body' })).toThrow(Error)
    expect(() => compileValidator(Type.Object({ deep: Type.Array(schema) }), { source: 'body' })).toThrow(
      Error,
    )
  })

  it('does not compile for a query that is no set of parameters', () => {
    expect(() => compileValidator(Type.Array(Type.String()), { source: 'query' })).toThrow('query')
  })
})
