/** The controller refused; `message` has its words. Credentials are kept: a refusal may pass, so try again later. */
export class AgentRefused extends Error {
  override readonly name = 'AgentRefused'
  readonly status: number
  readonly retryAfterS: number | undefined

  constructor(status: number, message: string, retryAfterS: number | undefined) {
    super(message)
    this.status = status
    this.retryAfterS = retryAfterS
  }
}

/** A message that the broker would neither take nor refuse in words. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/** More samples are waiting than may: the network is slower than the agent. */
export class BacklogFull extends Error {
  override readonly name = 'BacklogFull'
}

/** These pass: once somebody has put the credentials right, or after a wait. */
const passing = [401, 403, 404, 408, 429]

/** Whether the same message would be refused again, however often it is sent. */
export function isForGood(error: unknown): boolean {
  if (error instanceof TooLarge) return true
  return (
    error instanceof AgentRefused &&
    error.status >= 400 &&
    error.status < 500 &&
    !passing.includes(error.status)
  )
}
