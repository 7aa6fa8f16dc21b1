import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { EngineUrls } from '../../../tools/engines/index.ts'
import { brokerManagement, rabbitmqMajor } from './broker-management.ts'
import { type ApiResponse, call, tokenOf } from './http-client.ts'
import { type Replica, startReplica } from './replica.ts'
import { sqlAt } from './sql.ts'

/** Environment variables of a server. */
export type Variables = Record<string, string>

export const admin = { username: 'admin@manc.test', password: 'admin-password' }

/** A database and a virtual host inside running engines, and the servers that a suite starts on them. */
export class TestEnvironment {
  readonly engines: EngineUrls
  /** Of a server in this environment. */
  readonly variables: Variables
  readonly #remove: () => Promise<void>
  readonly #servers: Replica[] = []
  #adminToken: string | undefined

  constructor(engines: EngineUrls, variables: Variables, remove: () => Promise<void>) {
    this.engines = engines
    this.variables = variables
    this.#remove = remove
  }

  get databaseUrl(): string {
    return this.#variable('MANC_DATABASE_URL')
  }

  get rabbitmqUrl(): string {
    return this.#variable('MANC_RABBITMQ_URL')
  }

  get virtualHost(): string {
    return new URL(this.rabbitmqUrl).pathname.slice(1)
  }

  /** The rows of one statement. */
  async sql(text: string, values: unknown[] = []): Promise<any[]> {
    return (await sqlAt(this.databaseUrl, text, values)).rows
  }

  /** Starts a server in this process. `drop` stops it. */
  async startServer(more: Variables = {}): Promise<Replica> {
    const server = await startReplica({ ...this.variables, ...more })
    this.#servers.push(server)
    return server
  }

  /** Starts a server and logs in as its administrator. Drops the environment where that fails. */
  async serve(more: Variables = {}): Promise<this> {
    try {
      const { url } = await this.startServer(more)
      this.#adminToken = await tokenOf(url, 'user', admin.username, admin.password)
      return this
    } catch (error) {
      await this.drop()
      throw error
    }
  }

  /** The server that was started first. */
  get server(): Replica {
    const [server] = this.#servers
    if (!server) throw new Error('No server was started in this test environment: call serve() first.')
    return server
  }

  get url(): string {
    return this.server.url
  }

  get adminToken(): string {
    if (this.#adminToken === undefined)
      throw new Error('No administrator is logged in to this test environment: call serve() first.')
    return this.#adminToken
  }

  /** One request to the first server, as the administrator unless another token is given. */
  request(
    method: string,
    route: string,
    body?: unknown,
    token: string = this.adminToken,
  ): Promise<ApiResponse> {
    return call(this.url, method, route, { token, ...(body !== undefined && { body }) })
  }

  async drop(): Promise<void> {
    for (const server of this.#servers.splice(0)) await server.stop()
    await this.#remove()
  }

  #variable(name: string): string {
    const value = this.variables[name]
    if (value === undefined) throw new Error(`The test environment has no ${name}.`)
    return value
  }
}

/** Of a server that uses the whole engines, with keys of its own. */
export const serverVariables = (engines: EngineUrls): Variables => ({
  MANC_ROLES: 'api,subscriber',
  MANC_HOST: '127.0.0.1',
  MANC_PORT: '0',
  MANC_INTERNAL_PORT: '0',
  MANC_DATABASE_URL: engines.postgres,
  MANC_DATABASE_CONNECTIONS: '10',
  MANC_RABBITMQ_URL: engines.rabbitmq,
  MANC_RABBITMQ_MANAGEMENT_URL: engines.rabbitmqManagement,
  MANC_VICTORIA_URL: engines.victoria,
  MANC_TOKEN_KEY: randomBytes(32).toString('hex'),
  MANC_DATA_KEY: randomBytes(32).toString('hex'),
  MANC_BOOTSTRAP_ADMIN_USERNAME: admin.username,
  MANC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
})

export async function createEnvironment(engines: EngineUrls, more: Variables = {}): Promise<TestEnvironment> {
  const name = `t_${randomBytes(6).toString('hex')}`
  await sqlAt(engines.postgres, `create database ${name}`)
  await brokerManagement(engines, 'PUT', `/api/vhosts/${name}`)
  await brokerManagement(engines, 'PUT', `/api/permissions/${name}/manc`, {
    configure: '.*',
    write: '.*',
    read: '.*',
  })
  await brokerManagement(engines, 'POST', `/api/definitions/${name}`, await topology(engines))
  const variables = {
    ...serverVariables(engines),
    MANC_DATABASE_URL: withPath(engines.postgres, name),
    MANC_RABBITMQ_URL: withPath(engines.rabbitmq, name),
    ...more,
  }
  return new TestEnvironment(engines, variables, async () => {
    await sqlAt(engines.postgres, `drop database if exists ${name} with (force)`)
    await brokerManagement(engines, 'DELETE', `/api/vhosts/${name}`)
  })
}

/** The broker's boot definitions, without their virtual host. RabbitMQ 3 rejects the policy. */
async function topology(engines: EngineUrls): Promise<unknown> {
  const file = path.join(import.meta.dirname, '../../../deploy/rabbitmq/definitions.json')
  const { policies, exchanges, queues, bindings } = JSON.parse(readFileSync(file, 'utf8'))
  const withoutHost = (all: { vhost?: string }[]) => all.map(({ vhost: _vhost, ...rest }) => rest)
  return {
    policies: (await rabbitmqMajor(engines)) < 4 ? [] : withoutHost(policies),
    exchanges: withoutHost(exchanges),
    queues: withoutHost(queues),
    bindings: withoutHost(bindings),
  }
}

function withPath(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
