import { randomUUID } from 'node:crypto'
import { type ExperimentDetails, type ExperimentFigureValues, experimentFigures } from '@manc/contract'
import { type ApiResponse, call, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { expect } from 'vitest'

/** Longer than any step takes on a busy machine. */
export const soon = { timeout: 60_000, interval: 100 }

export const smallWorld = { access_points: [{ technology: 'WiFi', count: 1, clients: 2 }] }

/** A valid request: two policies with two seeds. */
export const experimentOf = (more: object = {}) => ({
  name: uniqueName('experiment'),
  world: smallWorld,
  policies: ['none', 'best-experience'],
  repetitions: 2,
  ...more,
})

/** A result as an emulator reports it. */
export const resultOf = (p5: number) => ({
  figures: {
    ...(Object.fromEntries(experimentFigures.map((name) => [name, 0])) as ExperimentFigureValues),
    p5_mbps: p5,
    outage_s: null,
  },
  series: {
    step_s: 10,
    s: [9, 19],
    mean_mbps: [1, 2],
    p5_mbps: [0.5, p5],
    clients: [2, 1],
    handovers: [0, 3],
  },
})

/** A caller of experiments. */
export class Party {
  readonly name: string
  readonly #environment: TestEnvironment
  readonly #token: string

  private constructor(environment: TestEnvironment, name: string, token: string) {
    this.#environment = environment
    this.name = name
    this.#token = token
  }

  static async user(environment: TestEnvironment, role = 'operator'): Promise<Party> {
    const [username, password] = [`${uniqueName(role)}@experiment.test`, 'a-password']
    const user = { username, password, roles: [role] }
    expect((await environment.request('POST', '/api/v1/users/', user)).status).toBe(200)
    return new Party(environment, username, await tokenOf(environment.url, 'user', username, password))
  }

  static async app(
    environment: TestEnvironment,
    scopes: readonly string[],
    agents?: readonly string[],
  ): Promise<Party> {
    const name = uniqueName('app')
    const app = { app_name: name, api_key: 'k', permissions: { scopes, ...(agents && { agents }) } }
    expect((await environment.request('POST', '/api/v1/third_party_apps/', app)).status).toBe(200)
    return new Party(environment, name, await tokenOf(environment.url, 'third_party_app', name, 'k'))
  }

  send(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    return this.#environment.request(method, `/api/v1/experiments${path}`, body, this.#token)
  }

  whatIf(body: object, key?: string): Promise<ApiResponse> {
    return this.#post('/api/v1/what_if', body, key)
  }

  post(body: object = experimentOf(), key?: string): Promise<ApiResponse> {
    return this.#post('/api/v1/experiments', body, key)
  }

  async create(more: object = {}): Promise<ExperimentDetails> {
    const { status, body } = await this.post(experimentOf(more))
    expect([status, body]).toEqual([200, expect.anything()])
    return this.get(body.id)
  }

  async get(id: string): Promise<ExperimentDetails> {
    const { status, body } = await this.send('GET', `/${id}`)
    expect([status, body]).toEqual([200, expect.anything()])
    return body
  }

  #post(path: string, body: object, key: string | undefined): Promise<ApiResponse> {
    return call(this.#environment.url, 'POST', path, {
      token: this.#token,
      body,
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    })
  }
}

/** Reports on runs, as an emulator does. */
export class Reporter {
  readonly id = randomUUID()
  readonly #environment: TestEnvironment

  constructor(environment: TestEnvironment) {
    this.#environment = environment
  }

  /** The id of a run is only in the messages to emulators. */
  async runId(experiment: string, run: number): Promise<string> {
    const [found] = await this.#environment.sql(
      'select id from experiment_runs where experiment_id = $1 and run = $2',
      [experiment, run],
    )
    return found.id
  }

  async report(runId: string, state: string, more: object = {}): Promise<number> {
    const body = { run_id: runId, emulator: this.id, state, ...more }
    return (await this.#environment.request('POST', '/api/v1/callback/experiment_run', body)).status
  }

  async finish(runId: string, p5: number): Promise<number> {
    expect(await this.report(runId, 'started')).toBe(200)
    return this.report(runId, 'finished', { result: resultOf(p5) })
  }
}
