import type { Static, TSchema } from 'typebox'
import { readFields } from './containers.ts'
import { type Check, prependLoc, type ValidationItem } from './item.ts'
import { compileFields, compileSchema, isList } from './schema.ts'
import { isSchema } from './schema-keywords.ts'

type Source = 'body' | 'query' | 'path' | 'form'

/**
 * Returns the coerced value and pushes an item for every error. The value is meaningless once an item was pushed.
 */
export type Validator<T> = (value: unknown, loc: readonly (string | number)[], items: ValidationItem[]) => T

/** Throws on a schema it cannot enforce in full: compile at start, not per request. */
export function compileValidator<T extends TSchema>(
  schema: T,
  options: { source: Source },
): Validator<Static<T>> {
  const check =
    options.source === 'body' ? compileSchema(schema, 'body') : compileParameters(schema, options.source)
  return (value, loc, items) => {
    const before = items.length
    const result = check(value, items)
    if (items.length > before) prependLoc(items, before, ...loc)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the check was compiled from this schema
    return result as Static<T>
  }
}

/** For a query, a path or a form: names with a string each or, repeated, with a list of strings. */
function compileParameters(schema: unknown, source: 'query' | 'path' | 'form'): Check {
  if (!isSchema(schema) || !isSchema(schema.properties)) throw new Error(`Not a set of parameters: ${source}`)
  const { properties } = schema
  const fields = compileFields(schema, source)
  const lists = new Set(fields.map(({ name }) => name).filter((name) => isList(properties[name])))
  return (value, items) => {
    const given: Record<string, unknown> = {}
    for (const { name } of fields) given[name] = readParameter(value, name, source, lists.has(name))
    return readFields(fields, given, items)
  }
}

function readParameter(from: unknown, name: string, source: Source, wantsList: boolean): unknown {
  const raw: unknown = from instanceof URLSearchParams ? from.getAll(name) : memberOf(from, name)
  if (wantsList) {
    if (!Array.isArray(raw)) return raw === undefined ? undefined : [raw]
    return raw.length > 0 ? raw : undefined
  }
  const last: unknown = Array.isArray(raw) ? raw.at(-1) : raw
  return source === 'form' && last === '' ? undefined : last
}

/** Fastify's query and path objects have a custom prototype, so they do not count as plain objects. */
function memberOf(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined
}
