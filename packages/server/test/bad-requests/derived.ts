import { type Operation, type OperationId, operations, type ValidationItem } from '@manc/contract'
import {
  lessThan,
  missing,
  moreThan,
  noIntegerInText,
  noTime,
  notInChoices,
  tooFewItems,
  tooLong,
  tooManyItems,
  tooShort,
} from './items.ts'
import type { BadRequest } from './shape.ts'

/** The members of a schema that bound a query parameter. */
interface Schema {
  type?: string
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  anyOf?: { const?: string }[]
}

type Loc = ValidationItem['loc']
/** The texts of a parameter, repeated if there are several, and what is wrong with them. */
type Wrong = [texts: string[], item: ValidationItem]

/** Set by `Parsed` in the contract: the schema does not say what is valid, so these cases are hand-written. */
const parse = Symbol.for('manc.parse')

/** For each query parameter values outside of its type, its choices and its bounds. */
export function wrongQueries(id: OperationId): BadRequest[] {
  const { query, params }: Operation = operations[id]
  const path = Object.fromEntries(Object.keys(params?.properties ?? {}).map((name) => [name, 'name']))
  const properties = Object.entries((query?.properties ?? {}) as Record<string, Schema>)
  const required = new Map(
    properties
      .filter(([name]) => query?.required?.includes(name))
      .map(([name, schema]) => [name, valid(schema)]),
  )
  const request = (name: string, texts: string[], expected: ValidationItem): BadRequest => {
    const others = [...required].filter(([other]) => other !== name)
    const pairs = [...others, ...texts.map((text) => [name, text] as [string, string])]
    const search = new URLSearchParams(pairs).toString()
    return { title: `?${search.slice(0, 60)}`, operation: id, path, query: search, expected: [expected] }
  }
  return properties.flatMap(([name, schema]) => [
    ...(required.has(name) ? [request(name, [], missing(['query', name]))] : []),
    ...wrongTexts(schema, ['query', name]).map(([texts, item]) => request(name, texts, item)),
  ])
}

function wrongTexts(schema: Schema, loc: Loc): Wrong[] {
  if (parse in schema) return []
  const { type, format, items } = schema
  const choices = choicesOf(schema)
  if (choices.length > 0) return [[['no-such-choice'], notInChoices(choices, loc)]]
  if (type === 'array' && items) return wrongLists(schema, items, loc)
  if (type === 'integer') return wrongIntegers(schema, loc)
  if (format === 'date-time') return [[['soon'], noTime('input is too short', loc)]]
  return wrongLengths(schema, loc)
}

function wrongIntegers({ minimum, maximum }: Schema, loc: Loc): Wrong[] {
  return [
    ...['all', '1.5', ''].map((text): Wrong => [[text], noIntegerInText(loc)]),
    ...(minimum === undefined ? [] : [[[String(minimum - 1)], lessThan(minimum, loc)] satisfies Wrong]),
    ...(maximum === undefined ? [] : [[[String(maximum + 1)], moreThan(maximum, loc)] satisfies Wrong]),
  ]
}

function wrongLengths({ minLength, maxLength }: Schema, loc: Loc): Wrong[] {
  return [
    ...(minLength === undefined
      ? []
      : [[['x'.repeat(minLength - 1)], tooShort(minLength, loc)] satisfies Wrong]),
    ...(maxLength === undefined
      ? []
      : [[['x'.repeat(maxLength + 1)], tooLong(maxLength, loc)] satisfies Wrong]),
  ]
}

/** The second item is wrong, the first is not. */
function wrongLists({ minItems = 0, maxItems }: Schema, items: Schema, loc: Loc): Wrong[] {
  const good = valid(items)
  const some = (count: number) => Array.from({ length: count }, () => good)
  return [
    ...wrongTexts(items, [...loc, 1]).map(([texts, item]): Wrong => [[good, ...texts], item]),
    ...(minItems > 1 ? [[some(minItems - 1), tooFewItems(minItems, minItems - 1, loc)] satisfies Wrong] : []),
    ...(maxItems === undefined
      ? []
      : [[some(maxItems + 1), tooManyItems(maxItems, maxItems + 1, loc)] satisfies Wrong]),
  ]
}

function valid(schema: Schema): string {
  const [choice] = choicesOf(schema)
  if (choice !== undefined) return choice
  if (schema.type === 'array' && schema.items) return valid(schema.items)
  if (schema.type === 'integer') return String(schema.minimum ?? 1)
  if (schema.format === 'date-time') return '2026-01-01T00:00:00Z'
  return 'x'.repeat(Math.max(1, schema.minLength ?? 1))
}

const choicesOf = ({ anyOf = [] }: Schema): string[] =>
  anyOf.flatMap(({ const: value }) => (value === undefined ? [] : [value]))

/** Read operations whose bad requests follow from the schema of their query. */
export const derivedIds = Object.values<Operation>(operations).flatMap(({ id, method, query }) =>
  method === 'GET' && query && wrongQueries(id as OperationId).length > 0 ? [id as OperationId] : [],
)
