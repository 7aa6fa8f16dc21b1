import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { expect } from 'vitest'
import type { BrokerTls, EngineSet, EngineUrls } from '../../../tools/engines/index.ts'
import { admin, type Variables } from './environment.ts'
import { type ApiResponse, call, tokenOf } from './http-client.ts'
import { createIsolatedEnvironment, type IsolatedEnvironment } from './isolated-environment.ts'
import { closedPort } from './ports.ts'
import { programEnvironment } from './program-environment.ts'
import { type Replica, startReplica } from './replica.ts'

/** Longer than any step takes on a busy machine. */
export const soon = { timeout: 60_000, interval: 200 }
export const agentFolder = path.join(import.meta.dirname, '../../agent')

/** An agent in a child process, as an access point runs it. */
export class AgentProcess {
  readonly process: ChildProcess
  readonly #ended: Promise<number | null>
  output = ''

  constructor(commandLine: string[], variables: Variables = {}) {
    const [program = '', ...parameters] = commandLine
    this.process = spawn(program, parameters, {
      env: { ...programEnvironment, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.process.stdout, this.process.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.output += chunk
      })
    this.#ended = new Promise((resolve) => this.process.once('close', resolve))
  }

  /** Resolves with the exit code. */
  ended(): Promise<number | null> {
    return this.#ended
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.process.kill(signal)
    return this.#ended
  }
}

/** A controller for agent processes, which can be down for a while. */
export class AgentEnvironment {
  readonly #environment: IsolatedEnvironment
  server: Replica
  readonly token: string
  readonly #variables: Variables

  private constructor(
    environment: IsolatedEnvironment,
    server: Replica,
    token: string,
    variables: Variables,
  ) {
    this.#environment = environment
    this.server = server
    this.token = token
    this.#variables = variables
  }

  static async open(tls?: BrokerTls): Promise<AgentEnvironment> {
    const environment = await createIsolatedEnvironment({}, tls)
    // A fixed port: agents find the server again after a restart.
    const port = await closedPort()
    const variables = {
      ...environment.variables,
      MANC_ROLES: 'api,subscriber,ingester',
      MANC_PORT: String(port),
      // Sockets are open to pages of the console from there.
      MANC_PUBLIC_URL: `http://127.0.0.1:${port}`,
    }
    const server = await startReplica(variables)
    const token = await tokenOf(server.url, 'user', admin.username, admin.password)
    return new AgentEnvironment(environment, server, token, variables)
  }

  get engines(): EngineUrls {
    return this.#environment.engines
  }

  get ports(): EngineSet['ports'] {
    return this.#environment.set.ports
  }

  async close(): Promise<void> {
    await this.server.stop()
    await this.#environment.drop()
  }

  /** Does the work while the server is down. The server is up again afterwards, also if the work fails. */
  async whileServerIsDown<T>(work: () => Promise<T>): Promise<T> {
    await this.server.stop()
    try {
      return await work()
    } finally {
      this.server = await startReplica(this.#variables)
    }
  }

  /** Does the work while the broker is down, after a SIGKILL. It is up again afterwards, also if the work fails. */
  async whileBrokerIsDown<T>(work: () => Promise<T>): Promise<T> {
    await this.#environment.set.kill('rabbitmq')
    try {
      return await work()
    } finally {
      await this.#environment.set.start('rabbitmq')
    }
  }

  async enrolmentToken(pattern: string): Promise<string> {
    const { body } = await this.request('POST', '/enrolment_tokens', { ap_id_pattern: pattern, max_uses: 1 })
    return body.token
  }

  request(method: string, route: string, body?: unknown): Promise<ApiResponse> {
    return call(this.server.url, method, `/api/v1${route}`, {
      token: this.token,
      ...(body !== undefined && { body }),
    })
  }

  /** Values of the last hour, in the order of the names. */
  async readings(apId: string, names: string[]): Promise<number[][]> {
    const route = `/metrics/agent_multi_metric_data?agent=${apId}&metrics=${names.join(',')}&window=1h`
    const { status, body } = await this.request('GET', route)
    if (status !== 200) return []
    return body.series.map(({ points }: { points: { value: number }[] }) => points.map(({ value }) => value))
  }

  /** Sends a command and waits until its job has ended. */
  async command(apId: string, command: string): Promise<{ state: string; detail: string; status: number }> {
    const route = `/send_command?agent_id=${apId}&command=${encodeURIComponent(command)}`
    const { status, body } = await this.request('POST', route)
    if (status !== 200) return { status, state: 'refused', detail: body.detail }
    const job = async () => (await this.request('GET', `/jobs/${body.job_number}`)).body
    await expect.poll(async () => (await job()).state, soon).toMatch(/succeeded|failed|timed_out|expired/)
    const { state, detail } = await job()
    return { status, state, detail }
  }
}
