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

/** The body of every error but 422. */
export const Refusal = Type.Object({ detail: Type.String() }, { title: 'Refusal' })
export type Refusal = Static<typeof Refusal>

/** The statuses that an operation may answer beside 200 and 422, and what each means everywhere. */
export const refusals = {
  400: 'The request cannot be carried out as it stands',
  401: 'No valid credentials',
  403: 'Not enough permissions',
  404: 'There is no such resource',
  409: 'In conflict with what exists',
  413: 'The body is larger than the limit',
  429: 'Too many requests; `Retry-After` says when to come back',
  503: 'An engine is unavailable; `Retry-After` says when to come back',
} as const
export type RefusalStatus = keyof typeof refusals
