import Type, { type Static, type TSchema, type TUnsafe } from 'typebox'

/** `T | null`. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** One of these texts. */
export const oneOf = <const T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      description === undefined ? {} : { description },
    ),
  )

/** A point in time, parsed like pydantic: RFC 3339 and its relaxed forms. */
export const Moment = Type.Unsafe<Date>(Type.String({ format: 'date-time' }))

export const MomentWith = (description: string) =>
  Type.Unsafe<Date>(Type.String({ format: 'date-time', description }))

/** Pattern of texts that are stored: PostgreSQL cannot store U+0000. */
export const storable = '^[^\\u0000]*$'

/** An object with arbitrary members, limited by its size as JSON. */
export const FreeForm = (options: { description: string; 'x-max-bytes': number }) =>
  Type.Record(Type.String(), Type.Unknown(), options)

/** Response of operations for which the specification shows no members. */
export const Done = Type.Object(
  {
    status: Type.Literal('success'),
    detail: Type.String({ description: 'Description of the result.' }),
  },
  { title: 'Done' },
)
export type Done = Static<typeof Done>

/** Query of the long lists. Without a limit all items are streamed. */
export const Page = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Maximum number of items. Without it, all items.',
    }),
  ),
  after: Type.Optional(
    Type.String({ description: 'The last key of the previous page, from its `Link` header.' }),
  ),
})
export type Page = Static<typeof Page>

/** Query parameters of a list whose pages have a default size. */
export const pageFields = {
  limit: Type.Optional(
    Type.Integer({ default: 100, minimum: 1, maximum: 1000, description: 'Maximum number of items.' }),
  ),
  after: Type.Optional(
    Type.String({ description: 'The last key of the previous page, from its `Link` header.' }),
  ),
}

/** Key of the parser in a schema. JSON omits symbols. */
const parse = Symbol.for('manc.parse')

/** A value that a schema alone cannot describe: a schema for the document, and a parser for the text. */
export const Parsed = <T>(
  shown: TSchema,
  read: (value: unknown) => { value: T } | { type: string; msg: string },
): TUnsafe<T> =>
  Object.defineProperties({ [parse]: read }, Object.getOwnPropertyDescriptors(shown)) as unknown as TUnsafe<T>
