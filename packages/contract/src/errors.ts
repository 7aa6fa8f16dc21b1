import Type, { type Static } from 'typebox'

export const ValidationItem = Type.Object(
  {
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
    msg: Type.String(),
    type: Type.String(),
  },
  { title: 'ValidationError' },
)
export type ValidationItem = Static<typeof ValidationItem>

export const ValidationErrors = Type.Object(
  { detail: Type.Array(ValidationItem) },
  { title: 'HTTPValidationError' },
)

/** The body of every error except 422. */
export const Refusal = Type.Object({ detail: Type.String() }, { title: 'Refusal' })
export type Refusal = Static<typeof Refusal>

/** Error statuses of operations besides 422, with the same meaning everywhere. */
export const refusals = {
  400: 'The request cannot be processed',
  401: 'No valid credentials',
  403: 'Not enough permissions',
  404: 'The resource does not exist',
  409: 'Conflict with an existing resource',
  413: 'The body is larger than the limit',
  429: 'Too many requests; `Retry-After` is the time to wait, in seconds',
  503: 'An engine is unavailable; `Retry-After` is the time to wait, in seconds',
} as const
export type RefusalStatus = keyof typeof refusals
