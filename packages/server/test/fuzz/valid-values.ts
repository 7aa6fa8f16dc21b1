import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { hostileText } from './hostile-values.ts'

/** The keywords that the contract's schemas use. */
interface Schema {
  type?: string
  const?: unknown
  anyOf?: Schema[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
}

/** Values for a member by its name, where the schema cannot tell which of them exist. */
export type Named = Readonly<Record<string, fc.Arbitrary<unknown>>>

/** Values that satisfy a schema of the contract. */
export function validFor(schema: TSchema, named: Named): fc.Arbitrary<unknown> {
  return arbitraryOf(schema, named)
}

function arbitraryOf(schema: Schema, named: Named): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => arbitraryOf(each, named)))
  switch (schema.type) {
    case 'string':
      return textFor(schema)
    case 'integer':
      return integerFor(schema)
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const { minItems = 0, maxItems = 4, items = {} } = schema
      return fc.array(arbitraryOf(items, named), {
        minLength: minItems,
        maxLength: Math.min(maxItems, minItems + 3),
      })
    }
    case 'object':
      return objectFor(schema, named)
    default:
      return fc.jsonValue({ maxDepth: 3 })
  }
}

function objectFor({ properties, required = [] }: Schema, named: Named): fc.Arbitrary<unknown> {
  if (!properties) return freeForm
  const members = Object.entries(properties).map(
    ([name, schema]) => [name, named[name] ?? arbitraryOf(schema, named)] as const,
  )
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  const all = fc.record(Object.fromEntries(members), { requiredKeys: required })
  if (optional.length < 3) return all
  // Members often exclude each other, and filters together match nothing.
  const few = fc.tuple(fc.record(Object.fromEntries(members)), fc.subarray(optional, { maxLength: 2 }))
  return fc.oneof(
    all,
    few.map(([value, kept]) =>
      Object.fromEntries(
        Object.entries(value).filter(([name]) => required.includes(name) || kept.includes(name)),
      ),
    ),
  )
}

/** An object whose members the contract leaves open. */
export const freeForm: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  fc.constant({}),
  fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }),
  fc.record(
    {
      name: hostileText,
      geolocation: fc.oneof(fc.record({ latitude: fc.integer(), longitude: fc.integer() }), fc.jsonValue()),
      access_point_type: fc.constantFrom('5G', 'WiFi', 'LiFi', 'other'),
      telemetry_interval_s: fc.oneof(fc.integer(), fc.jsonValue()),
      commands: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
    },
    { requiredKeys: [] },
  ),
)

function textFor({
  format,
  pattern,
  minLength = 0,
  maxLength = minLength + 40,
}: Schema): fc.Arbitrary<unknown> {
  if (format === 'date-time') return moment
  if (format === 'email') return fc.nat(1e9).map((n) => `new-${n}@fuzz.test`)
  if (format === 'uuid') return fc.uuid()
  if (pattern !== undefined)
    return fc
      .stringMatching(new RegExp(pattern))
      .filter((text) => text.length >= minLength && text.length <= maxLength)
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 40) })
}

function integerFor({ minimum, exclusiveMinimum, maximum }: Schema): fc.Arbitrary<number> {
  const min = minimum ?? (exclusiveMinimum === undefined ? -1000 : exclusiveMinimum + 1)
  return fc.integer({ min, max: Math.max(min, Math.min(maximum ?? 1e6, 2 ** 31 - 1)) })
}

/** Replaced by a time that is so many minutes from when the request is sent. */
export const relativeMoments = {
  'moment-a-week-ago': -10_080,
  'moment-a-day-ago': -1440,
  'moment-an-hour-ago': -60,
  'moment-a-minute-ago': -1,
  'moment-in-an-hour': 60,
  'moment-in-a-day': 1440,
  'moment-in-a-month': 43_200,
} as const

export const moment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(relativeMoments)) },
  {
    weight: 1,
    arbitrary: fc
      .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
      .chain((date) => fc.constantFrom(date.toISOString(), date.toISOString().slice(0, 19), String(+date))),
  },
)
