import type { TSchema, TUnsafe } from 'typebox'
import type { Parser } from './item.ts'

/**
 * A schema that carries a function under this key is read by that function. JSON leaves symbols out, so the
 * OpenAPI document shows the schema alone. The key is registered: a package that only describes schemas can
 * set it without depending on the server.
 */
const PARSE: unique symbol = Symbol.for('manc.parse')

/** For what a schema cannot say, such as `window`: the schema documents, the parser reads. */
export function parsedBy<T>(schema: TSchema, parse: Parser<T>): TUnsafe<T> {
  // TypeBox keeps its own marks in hidden properties, which a spread would lose.
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
