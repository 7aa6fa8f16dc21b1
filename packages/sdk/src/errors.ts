import type { ValidationItem } from '@manc/contract'

/** Base class of all errors of this library. `message` states the problem and the next step. */
export class MancError extends Error {
  override readonly name: string = 'MancError'
}

/** The controller refused the request. */
export class Refused extends MancError {
  override readonly name: string = 'Refused'
  readonly status: number
  /** The `detail` of the response. */
  readonly detail: string
  /** Value of the `Retry-After` header, in seconds. */
  readonly retryAfterS: number | undefined

  constructor({ status, detail, retryAfterS }: RefusedResponse, next: string) {
    super(`${sentence(detail)} ${next}`.trim())
    this.status = status
    this.detail = detail
    this.retryAfterS = retryAfterS
  }
}

export class NotLoggedIn extends Refused {
  override readonly name = 'NotLoggedIn'
}
export class NotAllowed extends Refused {
  override readonly name = 'NotAllowed'
}
export class NotFound extends Refused {
  override readonly name = 'NotFound'
}
export class Conflict extends Refused {
  override readonly name = 'Conflict'
}
export class TooManyRequests extends Refused {
  override readonly name = 'TooManyRequests'
}
export class Unavailable extends Refused {
  override readonly name = 'Unavailable'
}

/** The request failed validation. */
export class Invalid extends Refused {
  override readonly name = 'Invalid'
  readonly items: readonly ValidationItem[]

  constructor(response: RefusedResponse) {
    super(response, 'Correct the request and send it again.')
    this.items = response.items
  }
}

/** There is no valid token, and there are no credentials to get one. */
export class SessionEnded extends MancError {
  override readonly name = 'SessionEnded'
}

/** No response. */
export class Unreachable extends MancError {
  override readonly name = 'Unreachable'
}

/** The job ended without success. */
export class JobFailed extends MancError {
  override readonly name = 'JobFailed'
  readonly jobNumber: string
  readonly state: string

  constructor(jobNumber: string, state: string, detail: string) {
    super(detail)
    this.jobNumber = jobNumber
    this.state = state
  }
}

/** The socket of a job was closed for good, for example because another client reads the job now. */
export class SocketClosed extends MancError {
  override readonly name = 'SocketClosed'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

interface RefusedResponse {
  status: number
  detail: string
  items: readonly ValidationItem[]
  retryAfterS: number | undefined
}

const kinds: Record<number, [new (response: RefusedResponse, next: string) => Refused, string]> = {
  401: [NotLoggedIn, 'Log in with a valid name and password.'],
  403: [NotAllowed, 'Ask an administrator for permission.'],
  404: [NotFound, 'Check the name.'],
  409: [Conflict, ''],
  429: [TooManyRequests, 'Wait a moment, then try again.'],
  503: [Unavailable, 'The controller is temporarily unavailable. Try again in a moment.'],
}

/** The error for a response that is not 200. */
export async function refusalOf(response: Response): Promise<Refused> {
  const text = await response.text()
  const detail = detailOf(text)
  const after = Number(response.headers.get('retry-after') ?? Number.NaN)
  const parts: RefusedResponse = {
    status: response.status,
    detail: typeof detail === 'string' ? detail : detail.map(messageOf).join(' '),
    items: typeof detail === 'string' ? [] : detail,
    retryAfterS: Number.isFinite(after) ? after : undefined,
  }
  if (response.status === 422) return new Invalid(parts)
  const [Kind, next] = kinds[response.status] ?? [Refused, '']
  // Other reasons for a 403 state the next step themselves.
  const isExplained = response.status === 403 && parts.detail !== 'Not enough permissions'
  return new Kind(parts, isExplained ? '' : next)
}

function detailOf(text: string): string | ValidationItem[] {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    if (typeof detail === 'string' || Array.isArray(detail)) return detail as string | ValidationItem[]
  } catch {
    // Not a response of the controller, for example one of a proxy.
  }
  return `Unexpected response: ${text.slice(0, 200)}`
}

const messageOf = ({ loc, msg }: ValidationItem) =>
  sentence(`${loc.slice(1).join('.') || loc.join('.')}: ${msg}`)

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
