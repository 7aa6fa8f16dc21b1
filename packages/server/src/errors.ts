import type { ValidationItem } from '@manc/contract'

/** Why a request is refused. Services throw a kind; only `http/errors.ts` maps kinds to HTTP statuses. */
export type RefusalKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'invalid'
  | 'bad-request'
  | 'not-found'
  | 'conflict'
  | 'too-many'
  | 'unavailable'

export class Refused extends Error {
  override readonly name = 'Refused'
  readonly kind: RefusalKind
  readonly retryAfterS: number | undefined
  readonly items: readonly ValidationItem[] | undefined

  constructor(
    kind: RefusalKind,
    detail: string,
    more: { retryAfterS?: number; items?: readonly ValidationItem[]; cause?: unknown } = {},
  ) {
    // A stack trace costs more than the rest of a refusal, and says nothing about the request.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(detail, more.cause === undefined ? {} : { cause: more.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.kind = kind
    this.retryAfterS = more.retryAfterS
    this.items = more.items
  }
}

export const notFound = (what: string) => new Refused('not-found', `${what} not found`)
export const alreadyRegistered = (what: string) => new Refused('conflict', `${what} already registered`)
export const forbidden = () => new Refused('forbidden', 'Not enough permissions')
export const invalid = (items: readonly ValidationItem[]) =>
  new Refused('invalid', 'Invalid request', { items })
/** The response is never sent: the work is not done for it. */
export const disconnected = () => new Refused('bad-request', 'The caller has disconnected.')
export const tooMany = (detail: string, retryAfterS: number) =>
  new Refused('too-many', detail, { retryAfterS })
export const unavailable = (engine: string, cause?: unknown) =>
  new Refused('unavailable', `${engine} is unavailable. Try again shortly.`, { retryAfterS: 1, cause })
