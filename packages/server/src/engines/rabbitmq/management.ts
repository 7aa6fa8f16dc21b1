const timeoutMs = 5000
const usersMaxAgeMs = 60_000

/** RabbitMQ's management API, for operations that AMQP does not have. */
export class RabbitMqManagement {
  readonly #url: string
  readonly #authorization: string
  /** Names of the broker's own users. Agents are not among them. */
  #users: { names: Set<string>; readAtMs: number } | undefined

  constructor(options: { url: string }) {
    const { origin, pathname, username, password } = new URL(options.url)
    this.#url = origin + pathname.replace(/\/$/, '')
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    this.#authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  }

  /**
   * Closes the connections of an agent, on all nodes. No connection is not an error. If the broker has a user of that
   * name itself, for a program, only MQTT connections are closed.
   */
  async closeAgentConnections(apId: string): Promise<void> {
    const user = encodeURIComponent(apId)
    if ((await this.#userNames()).has(apId)) await this.#closeMqttConnections(user)
    else await this.#request('DELETE', `/api/connections/username/${user}`)
  }

  /** Read once a minute: under load every request to the broker takes long. */
  async #userNames(): Promise<Set<string>> {
    if (!this.#users || performance.now() - this.#users.readAtMs > usersMaxAgeMs) {
      const list = JSON.parse((await this.#request('GET', '/api/users')) ?? '[]') as { name: string }[]
      this.#users = { names: new Set(list.map(({ name }) => name)), readAtMs: performance.now() }
    }
    return this.#users.names
  }

  async #closeMqttConnections(user: string): Promise<void> {
    const list = (await this.#request('GET', `/api/connections/username/${user}`)) ?? '[]'
    for (const { name } of JSON.parse(list) as { name: string }[]) {
      const path = `/api/connections/${encodeURIComponent(name)}`
      const connection = await this.#request('GET', path)
      // Listed at once, described some seconds later. The caller retries.
      if (connection === undefined) throw new Error(`the broker does not describe the connection ${name} yet`)
      if (/mqtt/i.test((JSON.parse(connection) as { protocol: string }).protocol))
        await this.#request('DELETE', path)
    }
  }

  /** The text of the response; undefined if the resource does not exist. */
  async #request(method: 'GET' | 'DELETE', path: string): Promise<string | undefined> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { authorization: this.#authorization, 'x-reason': 'closed by the controller' },
      signal: AbortSignal.timeout(timeoutMs),
      // A redirect is an error: the credentials are for this address only.
      redirect: 'manual',
    })
    const text = await response.text()
    if (response.ok) return text
    if (response.status === 404) return undefined
    throw new Error(`the broker's management API answered ${response.status}: ${text.slice(0, 200)}`)
  }
}
