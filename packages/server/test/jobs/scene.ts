import { once } from 'node:events'
import { bearerProtocol, socketPath } from '@manc/contract'
import {
  admin,
  call,
  createEnvironment,
  type Replica,
  startReplica,
  type TestEnvironment,
  tokenOf,
  type Variables,
} from '@manc/harness'
import { inject } from 'vitest'
import WebSocket from 'ws'

/** Two replicas of everything, and what a test needs to talk to them. */
export class JobScene {
  readonly environment: TestEnvironment
  readonly replicas: [Replica, Replica]
  readonly adminToken: string
  readonly #sockets: WebSocket[] = []

  private constructor(environment: TestEnvironment, replicas: [Replica, Replica], adminToken: string) {
    this.environment = environment
    this.replicas = replicas
    this.adminToken = adminToken
  }

  static async open(more: Variables = {}): Promise<JobScene> {
    const environment = await createEnvironment(inject('engines'))
    const variables = { ...environment.variables, ...more }
    const one = await startReplica(variables)
    const other = await startReplica(variables)
    return new JobScene(
      environment,
      [one, other],
      await tokenOf(one.url, 'user', admin.username, admin.password),
    )
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.terminate()
    for (const replica of this.replicas) await replica.stop()
    await this.environment.drop()
  }

  async user(username: string): Promise<string> {
    const body = { username, password: 'a-password', roles: ['user'] }
    await call(this.replicas[0].url, 'POST', '/api/v1/users/', { token: this.adminToken, body })
    return tokenOf(this.replicas[0].url, 'user', username, 'a-password')
  }

  /** Posts as a callback does. */
  post(
    jobNumber: string,
    data: unknown,
    options: { token?: string; replica?: 0 | 1; key?: string; kind?: string } = {},
  ) {
    const { token = this.adminToken, replica = 0, key, kind = 'agent_details' } = options
    return call(
      this.replicas[replica].url,
      'POST',
      `/api/v1/callback/${kind}?job_number=${encodeURIComponent(jobNumber)}`,
      { token, body: data, ...(key && { headers: { 'idempotency-key': key } }) },
    )
  }

  async request(
    path: string,
    token = this.adminToken,
    headers: Record<string, string> = {},
  ): Promise<string> {
    const { status, body } = await call(this.replicas[0].url, 'POST', path, { token, headers })
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    return body.job_number
  }

  async connect(jobNumber: string, options: Connect = {}): Promise<Client> {
    const client = this.dial(jobNumber, options)
    await Promise.race([
      once(client.socket, 'open'),
      client.refused.then((status) => Promise.reject(new Error(`refused: ${status}`))),
    ])
    return client
  }

  dial(jobNumber: string, options: Connect = {}): Client {
    const { token = this.adminToken, replica = 0, path = socketPath, query = '', protocols, origin } = options
    const url = `${this.replicas[replica].url.replace('http', 'ws')}${path}/${encodeURIComponent(jobNumber)}${query}`
    const asSubprotocol = protocols?.includes(bearerProtocol)
    const socket = new WebSocket(url, protocols ?? [], {
      headers: asSubprotocol || token === '' ? {} : { authorization: `Bearer ${token}` },
      ...(origin && { origin }),
    })
    this.#sockets.push(socket)
    return new Client(socket)
  }
}

interface Connect {
  token?: string
  replica?: 0 | 1
  path?: string
  query?: string
  protocols?: string[]
  origin?: string
}

/** A client that writes down what it gets. */
export class Client {
  readonly socket: WebSocket
  readonly frames: string[] = []
  readonly closed: Promise<{ code: number; reason: string }>
  /** The status with which the upgrade was refused. */
  readonly refused: Promise<number>

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data) => this.frames.push((data as Buffer).toString()))
    this.closed = new Promise((resolve) =>
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
    )
    this.refused = new Promise((resolve) =>
      socket.on('unexpected-response', (_request, answer) => {
        resolve(answer.statusCode ?? 0)
        answer.resume()
      }),
    )
    socket.on('error', () => {})
  }

  get messages(): any[] {
    return this.frames.map((frame) => JSON.parse(frame))
  }

  acknowledge(seq: number): void {
    this.socket.send(JSON.stringify({ type: 'ack', seq }))
  }
}
