import type { TSchema, TUnsafe } from 'typebox'
import type { Parser } from './item.ts'

/**
 * A schema with a function under this key is parsed by that function. JSON omits symbols, so the OpenAPI document contains
 * the schema only. `Symbol.for`: the contract sets the key without depending on this package.
 */
const PARSE: unique symbol = Symbol.for('manc.parse')

/** For values that a schema cannot express, such as `window`: the schema documents them, the parser parses them. */
export function parsedBy<T>(schema: TSchema, parse: Parser<T>): TUnsafe<T> {
  // TypeBox has non-enumerable properties, which a spread would lose.
  const copy = Object.defineProperties({ [PARSE]: parse }, Object.getOwnPropertyDescriptors(schema))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the parser gives is the static type
  return copy as unknown as TUnsafe<T>
}

export function parserOf(schema: object): Parser<unknown> | undefined {
  const parse: unknown = Reflect.get(schema, PARSE)
  return isParser(parse) ? parse : undefined
}

function isParser(value: unknown): value is Parser<unknown> {
  return typeof value === 'function'
}
