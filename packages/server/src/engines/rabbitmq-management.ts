const answerWithinMs = 5000

/** The broker's management interface: what AMQP has no word for. */
export class RabbitMqManagement {
  readonly #url: string
  readonly #authorization: string

  constructor(options: { url: string }) {
    const { origin, pathname, username, password } = new URL(options.url)
    this.#url = origin + pathname.replace(/\/$/, '')
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    this.#authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  }

  /** Closes every connection of this user, on all nodes; that there is none is no failure. */
  async closeConnections(username: string): Promise<void> {
    const answer = await fetch(`${this.#url}/api/connections/username/${encodeURIComponent(username)}`, {
      method: 'DELETE',
      headers: { authorization: this.#authorization, 'x-reason': 'shut out by the controller' },
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const text = await answer.text()
    if (!answer.ok && answer.status !== 404)
      throw new Error(`the broker's management interface answered ${answer.status}: ${text.slice(0, 200)}`)
  }
}
