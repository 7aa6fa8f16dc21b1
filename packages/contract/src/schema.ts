import Type, { type Static, type TSchema, type TUnsafe } from 'typebox'

/** `T | null`, as the interface writes "string or null". */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** One of these texts. */
export const oneOf = <const T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      description === undefined ? {} : { description },
    ),
  )

/** A point in time: read as pydantic does, RFC 3339 and its relaxed forms. */
export const Moment = Type.Unsafe<Date>(Type.String({ format: 'date-time' }))

export const MomentWith = (description: string) =>
  Type.Unsafe<Date>(Type.String({ format: 'date-time', description }))

/** An object whose members the interface leaves open, bounded by its size as JSON. */
export const FreeForm = (options: { description: string; 'x-max-bytes': number }) =>
  Type.Record(Type.String(), Type.Unknown(), options)

/** Every reply of the interface that is "a JSON object; members: not shown". */
export const Done = Type.Object(
  {
    status: Type.Literal('success'),
    detail: Type.String({ description: 'What was done, in words.' }),
  },
  { title: 'Done' },
)
export type Done = Static<typeof Done>

/** Query of the long lists: without it all items are streamed. */
export const Page = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'At most this many items. Without it, all of them.',
    }),
  ),
  after: Type.Optional(
    Type.String({ description: 'The last key of the page before, as its `Link` header gave it.' }),
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

/** Servers look for it under this key. JSON leaves symbols out. */
const parse = Symbol.for('manc.parse')

/** A value that a schema alone cannot describe: what the document shows, and how the text is read. */
export const Parsed = <T>(
  shown: TSchema,
  read: (value: unknown) => { value: T } | { type: string; msg: string },
): TUnsafe<T> =>
  Object.defineProperties({ [parse]: read }, Object.getOwnPropertyDescriptors(shown)) as unknown as TUnsafe<T>
