import type { ValidationItem } from '@manc/contract'

/** Everything that this library throws of its own. `message` says what happened and what to do next. */
export class MancError extends Error {
  override readonly name: string = 'MancError'
}

/** The controller answered, and said no. */
export class Refused extends MancError {
  override readonly name: string = 'Refused'
  readonly status: number
  /** The controller's own words. */
  readonly detail: string
  /** When to come back, in seconds. */
  readonly retryAfterS: number | undefined

  constructor({ status, detail, retryAfterS }: Answer, next: string) {
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

/** The request is not what the interface takes. */
export class Invalid extends Refused {
  override readonly name = 'Invalid'
  readonly items: readonly ValidationItem[]

  constructor(answer: Answer) {
    super(answer, 'Correct the request and send it again.')
    this.items = answer.items
  }
}

/** There is no token, or none that lives, and nothing to get one with. */
export class SessionEnded extends MancError {
  override readonly name = 'SessionEnded'
}

/** No answer at all. */
export class Unreachable extends MancError {
  override readonly name = 'Unreachable'
}

/** The job ended, and not well. */
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

/** The results of a job go elsewhere, or no further. */
export class SocketClosed extends MancError {
  override readonly name = 'SocketClosed'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

interface Answer {
  status: number
  detail: string
  items: readonly ValidationItem[]
  retryAfterS: number | undefined
}

const kinds: Record<number, [new (answer: Answer, next: string) => Refused, string]> = {
  401: [NotLoggedIn, 'Log in, with the right name and password.'],
  403: [NotAllowed, 'Ask an administrator for the right to do this.'],
  404: [NotFound, 'Check the name.'],
  409: [Conflict, ''],
  429: [TooManyRequests, 'Wait a moment, then try again.'],
  503: [Unavailable, 'The controller will be back: try again in a moment.'],
}

/** An answer that is not 200, as an error. */
export async function refusalOf(answer: Response): Promise<Refused> {
  const text = await answer.text()
  const detail = detailOf(text)
  const after = Number(answer.headers.get('retry-after') ?? Number.NaN)
  const parts: Answer = {
    status: answer.status,
    detail: typeof detail === 'string' ? detail : detail.map(inWords).join(' '),
    items: typeof detail === 'string' ? [] : detail,
    retryAfterS: Number.isFinite(after) ? after : undefined,
  }
  if (answer.status === 422) return new Invalid(parts)
  const [Kind, next] = kinds[answer.status] ?? [Refused, '']
  return new Kind(parts, next)
}

function detailOf(text: string): string | ValidationItem[] {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    if (typeof detail === 'string' || Array.isArray(detail)) return detail as string | ValidationItem[]
  } catch {
    // Not from the controller: from something in between.
  }
  return `An answer that the controller does not give: ${text.slice(0, 200)}`
}

const inWords = ({ loc, msg }: ValidationItem) =>
  sentence(`${loc.slice(1).join('.') || loc.join('.')}: ${msg}`)

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
