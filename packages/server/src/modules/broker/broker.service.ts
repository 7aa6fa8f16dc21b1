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
  /** Only for a topic. */
  routingKey: string
}

interface Options {
  verifyAgent(apId: string, secret: string): Promise<boolean>
  /** Whether logins of the agent are refused because it exceeded a limit. */
  isSuspended(apId: string): Promise<boolean>
  /** The virtual host that agents connect to. */
  vhost: string
  /** The controller's own user name at the broker. */
  ownName: string
}

/**
 * Authentication and authorization of agents at the broker. A login is checked each time; the permissions of an agent
 * depend on its id alone, so that the broker may cache them without limit.
 */
export class BrokerService {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** Only MQTT has a client id: a login without one uses another protocol, and is denied. */
  async mayLogIn({ username, clientId, password }: Login): Promise<boolean> {
    if (!this.#isAgent(username) || clientId !== username || password === '') return false
    // First: a suspended agent that connects again and again costs no password hash.
    if (await this.#options.isSuspended(username)) return false
    return this.#options.verifyAgent(username, password)
  }

  mayEnter({ username, vhost }: Pick<Access, 'username' | 'vhost'>): boolean {
    return this.#isAgent(username) && vhost === this.#options.vhost
  }

  /** The shared exchange, and the queues that the broker creates for the subscriptions of this agent. */
  mayUse({ username, vhost, resource, name, permission }: Access): boolean {
    if (!this.mayEnter({ username, vhost })) return false
    if (resource === 'exchange') return name === exchanges.agents && ['read', 'write'].includes(permission)
    const own = ['qos0', 'qos1'].map((level) => `mqtt-subscription-${username}${level}`)
    return resource === 'queue' && own.includes(name) && ['configure', 'read', 'write'].includes(permission)
  }

  /** Compared literally: a topic with a wildcard is none of the allowed ones. */
  mayPass({ username, vhost, resource, name, permission, routingKey }: Access): boolean {
    if (!this.mayEnter({ username, vhost }) || resource !== 'topic' || name !== exchanges.agents) return false
    const topics = permission === 'write' ? publishedTopics : permission === 'read' ? subscribedTopics : []
    return topics.some((topic) => routingKey === agentRoutingKey(username, topic))
  }

  /** An agent with the controller's own name could not be disconnected without the controller. */
  #isAgent(username: string): boolean {
    return isApId.test(username) && username !== this.#options.ownName
  }
}
