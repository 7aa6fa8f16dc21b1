import { agentRoutingKey, apIdPattern, exchanges, publishedTopics, subscribedTopics } from '@manc/contract'

const isApId = new RegExp(apIdPattern)

export interface Login {
  username: string
  clientId: string
  password: string
}

export interface Access {
  username: string
  vhost: string
  /** `exchange`, `queue` or `topic`, with its name. */
  resource: string
  name: string
  permission: string
  /** Of a topic only. */
  routingKey: string
}

interface Parts {
  verifyAgent(apId: string, secret: string): Promise<boolean>
  /** Where agents connect to, and whom the broker knows as the controller. */
  vhost: string
  ownName: string
}

/**
 * What the broker asks about agents. A login is asked each time; what an agent may touch depends on its id alone,
 * so that the broker can remember those answers for as long as it likes.
 */
export class BrokerService {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Only MQTT names a client: without one it is another protocol, which agents do not speak. */
  async mayLogIn({ username, clientId, password }: Login): Promise<boolean> {
    if (!this.#isAgent(username) || clientId !== username || password === '') return false
    return this.#parts.verifyAgent(username, password)
  }

  mayEnter({ username, vhost }: Pick<Access, 'username' | 'vhost'>): boolean {
    return this.#isAgent(username) && vhost === this.#parts.vhost
  }

  /** The exchange that all share, and the queues that the broker makes for this agent's subscriptions. */
  mayUse({ username, vhost, resource, name, permission }: Access): boolean {
    if (!this.mayEnter({ username, vhost })) return false
    if (resource === 'exchange') return name === exchanges.agents && ['read', 'write'].includes(permission)
    const own = ['qos0', 'qos1'].map((level) => `mqtt-subscription-${username}${level}`)
    return resource === 'queue' && own.includes(name) && ['configure', 'read', 'write'].includes(permission)
  }

  /** Compared as text, so that a wildcard is a topic like any other: not one of these. */
  mayPass({ username, vhost, resource, name, permission, routingKey }: Access): boolean {
    if (!this.mayEnter({ username, vhost }) || resource !== 'topic' || name !== exchanges.agents) return false
    const topics = permission === 'write' ? publishedTopics : permission === 'read' ? subscribedTopics : []
    return topics.some((topic) => routingKey === agentRoutingKey(username, topic))
  }

  /** An agent of the controller's own name would be disconnected together with the controller. */
  #isAgent(username: string): boolean {
    return isApId.test(username) && username !== this.#parts.ownName
  }
}
