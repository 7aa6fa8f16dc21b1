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

/** More samples are waiting than may: the network is slower than the agent. */
export class BacklogFull extends Error {
  override readonly name = 'BacklogFull'
}
