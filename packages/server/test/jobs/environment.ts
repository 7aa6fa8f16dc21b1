import { once } from 'node:events'
import { bearerProtocol, socketPath } from '@manc/contract'
import {
  type ApiResponse,
  call,
  createEnvironment,
  type Replica,
  TestEnvironment,
  tokenOf,
  uniqueName,
  type Variables,
} from '@manc/harness'
import { environmentTest } from '@manc/harness/fixture'
import { inject } from 'vitest'
import WebSocket from 'ws'

/** Two replicas with all roles, and clients of their jobs. */
export class JobsEnvironment extends TestEnvironment {
  readonly #sockets: WebSocket[] = []
  #second: Replica | undefined

  static async open(more: Variables = {}): Promise<JobsEnvironment> {
    const base = await createEnvironment(inject('engines'), more)
    const environment = new JobsEnvironment(base.engines, base.variables, () => base.drop())
    await environment.serve()
    environment.#second = await environment.startServer()
    return environment
  }

  override async drop(): Promise<void> {
    for (const socket of this.#sockets) socket.terminate()
    await super.drop()
  }

  urlOf(replica: 0 | 1): string {
    return replica === 0 || !this.#second ? this.url : this.#second.url
  }

  internalUrlOf(replica: 0 | 1): string {
    return (replica === 0 || !this.#second ? this.server : this.#second).internalUrl
  }

  /** Creates a user and returns its token. */
  async createUser(username: string): Promise<string> {
    await this.request('POST', '/api/v1/users/', { username, password: 'a-password', roles: ['user'] })
    return tokenOf(this.url, 'user', username, 'a-password')
  }

  /** The token of an app that posts results, also large ones. */
  async posterToken(): Promise<string> {
    const app = { app_name: uniqueName('poster'), api_key: 'k', permissions: { scopes: ['callbacks:post'] } }
    await this.request('POST', '/api/v1/third_party_apps/', app)
    return tokenOf(this.url, 'third_party_app', app.app_name, app.api_key)
  }

  /** Posts a result as a callback does. */
  postResult(
    jobNumber: string,
    data: unknown,
    options: { token?: string; replica?: 0 | 1; key?: string; kind?: string } = {},
  ): Promise<ApiResponse> {
    const { token = this.adminToken, replica = 0, key, kind = 'agent_details' } = options
    return call(
      this.urlOf(replica),
      'POST',
      `/api/v1/callback/${kind}?job_number=${encodeURIComponent(jobNumber)}`,
      { token, body: data, ...(key && { headers: { 'idempotency-key': key } }) },
    )
  }

  /** Requests a job and returns its number. */
  async requestJob(
    path: string,
    token = this.adminToken,
    headers: Record<string, string> = {},
  ): Promise<string> {
    const { status, body } = await call(this.url, 'POST', path, { token, headers })
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    return body.job_number
  }

  /** A client whose socket is open. */
  async connect(jobNumber: string, options: ConnectOptions = {}): Promise<JobClient> {
    const client = this.startConnecting(jobNumber, options)
    await Promise.race([
      once(client.socket, 'open'),
      client.refused.then((status) => Promise.reject(new Error(`refused: ${status}`))),
    ])
    return client
  }

  /** A client whose upgrade may still be refused. */
  startConnecting(jobNumber: string, options: ConnectOptions = {}): JobClient {
    const { token = this.adminToken, replica = 0, path = socketPath, query = '', protocols, origin } = options
    const url = `${this.urlOf(replica).replace('http', 'ws')}${path}/${encodeURIComponent(jobNumber)}${query}`
    const asSubprotocol = protocols?.includes(bearerProtocol)
    const socket = new WebSocket(url, protocols ?? [], {
      headers: asSubprotocol || token === '' ? {} : { authorization: `Bearer ${token}` },
      ...(origin && { origin }),
    })
    this.#sockets.push(socket)
    return new JobClient(socket)
  }
}

interface ConnectOptions {
  token?: string
  replica?: 0 | 1
  path?: string
  query?: string
  protocols?: string[]
  origin?: string
}

/** A client of a job that records the frames it receives. */
class JobClient {
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
      socket.on('unexpected-response', (_request, response) => {
        resolve(response.statusCode ?? 0)
        response.resume()
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

export const test = environmentTest(({ variables }) => JobsEnvironment.open(variables))
