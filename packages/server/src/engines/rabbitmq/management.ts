import { addressesOf } from '@manc/contract/addresses'
import { Refused } from '../../errors.ts'

const timeoutMs = 5000
const mayNotChange =
  'The user of MANC_RABBITMQ_MANAGEMENT_URL may not change queues. Give it permissions for the time of this command, and check its password: ' +
  'docs/operations/running.md, section "Telemetry queues".'
const usersMaxAgeMs = 60_000

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

/** A queue and one of its bindings. */
export interface BoundQueue {
  virtualHost: string
  name: string
  arguments: Record<string, unknown>
  exchange: string
  key: string
}

/** Disk in bytes; undefined of a node that is down. */
export interface BrokerNode {
  name: string
  isRunning: boolean
  diskFree: number | undefined
  diskFreeLimit: number | undefined
  /** For disk or memory: the broker accepts no messages. */
  hasAlarm: boolean
}

/** RabbitMQ's management API, for operations that AMQP does not have. */
export class RabbitMqManagement {
  /** In the order in which they are tried: one that does not answer becomes the last. */
  readonly #hosts: Host[]
  /** Names of the broker's own users. Agents are not among them. */
  #users: { names: Set<string>; readAtMs: number } | undefined

  constructor(options: { url: string }) {
    this.#hosts = addressesOf(options.url).map(readHost)
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

  /** A queue that exists with the same arguments is not changed. */
  async declareQueue({ virtualHost, name, arguments: queueArguments }: BoundQueue): Promise<void> {
    const path = `/api/queues/${encodeURIComponent(virtualHost)}/${name}`
    await this.#change('PUT', path, { durable: true, arguments: queueArguments })
  }

  async bindQueue(queue: BoundQueue): Promise<void> {
    await this.#change('POST', bindingPath(queue), { routing_key: queue.key })
  }

  /** Removes the binding. The queue and its messages stay. */
  async unbindQueue(queue: BoundQueue): Promise<void> {
    await this.#request('DELETE', `${bindingPath(queue)}/${queue.key}`)
  }

  /** Messages of a queue, also those that are not acknowledged. A few seconds old; undefined: not counted yet. */
  async messagesOf(virtualHost: string, name: string): Promise<number | undefined> {
    const text = await this.#request('GET', `/api/queues/${encodeURIComponent(virtualHost)}/${name}`)
    // A queue that does not exist has no messages.
    return text === undefined ? 0 : (JSON.parse(text) as { messages?: number }).messages
  }

  async nodes(): Promise<BrokerNode[]> {
    const columns = 'name,running,disk_free,disk_free_limit,disk_free_alarm,mem_alarm'
    const list = JSON.parse((await this.#request('GET', `/api/nodes?columns=${columns}`)) ?? '[]') as {
      name: string
      running: boolean
      // Undefined of a node that is down.
      disk_free?: number
      disk_free_limit?: number
      disk_free_alarm?: boolean
      mem_alarm?: boolean
    }[]
    return list.map((node) => ({
      name: node.name,
      isRunning: node.running,
      diskFree: node.disk_free,
      diskFreeLimit: node.disk_free_limit,
      hasAlarm: node.disk_free_alarm === true || node.mem_alarm === true,
    }))
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

  /** Of queues and bindings. Fails if the virtual host, the exchange or the queue does not exist. */
  async #change(method: Method, path: string, body: object): Promise<void> {
    const answer = await this.#answer(method, path, body)
    if (answer.status === 401) throw new Refused('bad-request', mayNotChange)
    if (textOf(answer) === undefined)
      throw new Error(`the broker's management API answered 404 to ${method} ${path}`)
  }

  /** The text of the response; undefined if the resource does not exist. */
  async #request(method: Method, path: string): Promise<string | undefined> {
    return textOf(await this.#answer(method, path))
  }

  /** Of the first host that answers. */
  async #answer(method: Method, path: string, body?: object): Promise<Answer> {
    let failure: unknown
    for (const host of this.#hosts.slice()) {
      try {
        return await ask(host, method, path, body)
      } catch (error) {
        failure = error
        // Another request may have moved it already.
        if (this.#hosts[0] === host) this.#hosts.push(...this.#hosts.splice(0, 1))
      }
    }
    throw failure
  }
}

interface Answer {
  status: number
  text: string
}

function textOf({ status, text }: Answer): string | undefined {
  if (status >= 200 && status < 300) return text
  if (status === 404) return undefined
  throw new Error(`the broker's management API answered ${status}: ${text.slice(0, 200)}`)
}

interface Host {
  url: string
  authorization: string
}

function readHost(address: string): Host {
  const { origin, pathname, username, password } = new URL(address)
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return {
    url: origin + pathname.replace(/\/$/, ''),
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
  }
}

async function ask({ url, authorization }: Host, method: Method, path: string, body?: object) {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization,
      'x-reason': 'closed by the controller',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
    // A redirect is an error: the credentials are for this address only.
    redirect: 'manual',
  })
  return { status: response.status, text: await response.text() }
}

const bindingPath = ({ virtualHost, exchange, name }: BoundQueue): string =>
  `/api/bindings/${encodeURIComponent(virtualHost)}/e/${exchange}/q/${name}`
