import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { expect } from 'vitest'
import { call, tokenOf } from './client.ts'
import { admin, type Environment, type Replica, startReplica } from './environment.ts'
import { closedPort } from './ports.ts'
import { makeStage, type Stage } from './stage.ts'

export const soon = { timeout: 20_000, interval: 200 }
export const agentFolder = path.join(import.meta.dirname, '../../agent')

/** An agent as a device runs it: a process of its own. */
export class Device {
  readonly process: ChildProcess
  readonly #ended: Promise<number | null>
  output = ''

  constructor(words: string[], environment: Environment = {}) {
    const [program = '', ...rest] = words
    this.process = spawn(program, rest, {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.process.stdout, this.process.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.output += chunk
      })
    this.#ended = new Promise((resolve) => this.process.once('close', resolve))
  }

  /** How it ended. */
  ended(): Promise<number | null> {
    return this.#ended
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.process.kill(signal)
    return this.#ended
  }
}

/** A controller for such devices. */
export class Site {
  readonly stage: Stage
  server: Replica
  readonly token: string
  readonly #environment: Environment

  private constructor(stage: Stage, server: Replica, token: string, environment: Environment) {
    this.stage = stage
    this.server = server
    this.token = token
    this.#environment = environment
  }

  static async open(): Promise<Site> {
    const stage = await makeStage()
    const environment = {
      ...stage.environment,
      MANC_ROLES: 'api,subscriber,ingester',
      // It comes back where it was.
      MANC_PORT: String(await closedPort()),
    }
    const server = await startReplica(environment)
    const token = await tokenOf(server.url, 'user', admin.username, admin.password)
    return new Site(stage, server, token, environment)
  }

  async close(): Promise<void> {
    await this.server.stop()
    await this.stage.set.down()
  }

  /** Whatever becomes of the work, the server is back after it. */
  async without<T>(work: () => Promise<T>): Promise<T> {
    await this.server.stop()
    try {
      return await work()
    } finally {
      this.server = await startReplica(this.#environment)
    }
  }

  async enrolmentToken(pattern: string): Promise<string> {
    const body = { ap_id_pattern: pattern, max_uses: 1 }
    const answer = await this.ask('POST', '/enrolment_tokens', body)
    return answer.body.token
  }

  ask(method: string, route: string, body?: unknown) {
    return call(this.server.url, method, `/api/v1${route}`, {
      token: this.token,
      ...(body !== undefined && { body }),
    })
  }

  /** Values of the last hour, in the order of the names. */
  async readings(apId: string, names: string[]): Promise<number[][]> {
    const route = `/metrics/agent_multi_metric_data?agent=${apId}&metrics=${names.join(',')}&window=1h`
    const { status, body } = await this.ask('GET', route)
    if (status !== 200) return []
    return body.series.map(({ points }: { points: { value: number }[] }) => points.map(({ value }) => value))
  }

  /** Sends a command and waits for its end. */
  async command(apId: string, command: string): Promise<{ state: string; detail: string; status: number }> {
    const route = `/send_command?agent_id=${apId}&command=${encodeURIComponent(command)}`
    const { status, body } = await this.ask('POST', route)
    if (status !== 200) return { status, state: 'refused', detail: body.detail }
    const job = async () => (await this.ask('GET', `/jobs/${body.job_number}`)).body
    await expect.poll(async () => (await job()).state, soon).toMatch(/succeeded|failed|timed_out|expired/)
    const { state, detail } = await job()
    return { status, state, detail }
  }
}
