/** The controller refused; `message` has its words. Credentials are kept: a refusal may pass, so try again later. */
export class AgentRefused extends Error {
  override readonly name = 'AgentRefused'
  readonly status: number
  readonly retryAfterS: number | undefined

  constructor(status: number, message: string, retryAfterS: number | undefined) {
    super(message)
    this.status = status
    // It may be a date, which nobody here gives.
    this.retryAfterS = Number.isFinite(retryAfterS) ? retryAfterS : undefined
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

/** What is wrong with the message itself. All else passes: with other credentials, or after a wait. */
const finalStatuses = [400, 413, 422]

/** Whether the same message would be refused again, however often it is sent. */
export function isForGood(error: unknown): boolean {
  if (error instanceof TooLarge) return true
  return error instanceof AgentRefused && finalStatuses.includes(error.status) && isOurs(error.message)
}

/** A proxy or a captive portal refuses too, and knows nothing of what it refuses. */
function isOurs(body: string): boolean {
  try {
    return (JSON.parse(body) as { detail?: unknown }).detail !== undefined
  } catch {
    return false
  }
}
