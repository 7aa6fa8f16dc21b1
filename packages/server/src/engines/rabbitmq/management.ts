const timeoutMs = 5000

/** RabbitMQ's management API, for operations that AMQP does not have. */
export class RabbitMqManagement {
  readonly #url: string
  readonly #authorization: string

  constructor(options: { url: string }) {
    const { origin, pathname, username, password } = new URL(options.url)
    this.#url = origin + pathname.replace(/\/$/, '')
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    this.#authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  }

  /** Closes every connection of this user, on all nodes. No connection is not an error. */
  async closeConnections(username: string): Promise<void> {
    const response = await fetch(`${this.#url}/api/connections/username/${encodeURIComponent(username)}`, {
      method: 'DELETE',
      headers: { authorization: this.#authorization, 'x-reason': 'access revoked by the controller' },
      signal: AbortSignal.timeout(timeoutMs),
      // A redirect is an error: the credentials are for this address only.
      redirect: 'manual',
    })
    const text = await response.text()
    if (!response.ok && response.status !== 404)
      throw new Error(`the broker's management API answered ${response.status}: ${text.slice(0, 200)}`)
  }
}
