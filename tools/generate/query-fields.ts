import type { Operation } from '@manc/contract'

type Schema = Operation['response']

/** Set by `Parsed` in the contract: the value differs from its text, so generated code cannot convert it. */
const parse = Symbol.for('manc.parse')
const paging = new Set(['limit', 'after'])

export interface QueryField {
  name: string
  schema: Schema
  isRequired: boolean
}

/** The query parameters of an operation without those for paging. */
export function queryFields({ id, query }: Operation): QueryField[] {
  const fields = Object.entries<Schema>(query?.properties ?? {}).filter(([name]) => !paging.has(name))
  return fields.map(([name, schema]) => {
    if (parse in schema)
      throw new Error(
        `${id}: ${name} is parsed by hand-written code, so its SDK method has to be hand-written too. Remove "sdk".`,
      )
    return { name, schema, isRequired: query?.required?.includes(name) ?? false }
  })
}

/** A list that is read page by page. */
export const isPaged = ({ query }: Operation): boolean =>
  query !== undefined && [...paging].every((name) => name in query.properties)
