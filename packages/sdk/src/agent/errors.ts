/** The controller refused; `message` is its answer. Credentials are kept: retry later. */
export class AgentRefused extends Error {
  override readonly name = 'AgentRefused'
  readonly status: number
  readonly retryAfterS: number | undefined

  constructor(status: number, message: string, retryAfterS: number | undefined) {
    super(message)
    this.status = status
    // An HTTP date is not supported: the controller sends seconds.
    this.retryAfterS = Number.isFinite(retryAfterS) ? retryAfterS : undefined
  }
}

/** A message beyond the limit of the broker, which would neither acknowledge it nor report an error. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/** Too many samples wait for an acknowledgement: the network is slower than the agent. */
export class BacklogFull extends Error {
  override readonly name = 'BacklogFull'
}

/** The message itself is at fault. Other refusals pass, with other credentials or after a wait. */
const finalStatuses = [400, 413, 422]

/** Whether the same message would be refused again. */
export function isPermanent(error: unknown): boolean {
  if (error instanceof TooLarge) return true
  return (
    error instanceof AgentRefused && finalStatuses.includes(error.status) && isFromController(error.message)
  )
}

/** A proxy or a captive portal refuses as well, whatever the message. */
function isFromController(body: string): boolean {
  try {
    return (JSON.parse(body) as { detail?: unknown }).detail !== undefined
  } catch {
    return false
  }
}
