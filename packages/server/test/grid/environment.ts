import { createEnvironment, TestEnvironment, tokenOf } from '@manc/harness'
import { environmentTest } from '@manc/harness/fixture'
import { inject } from 'vitest'

/** A server, and the records that requests of the grid refer to. */
export class GridEnvironment extends TestEnvironment {
  #hasAdmin = false

  static async open(): Promise<GridEnvironment> {
    const environment = await GridEnvironment.#create()
    await environment.serve()
    environment.#hasAdmin = true
    return environment
  }

  /** A server without an administrator, which has logged a setup token. */
  static async openWithoutAdmin(): Promise<GridEnvironment> {
    const environment = await GridEnvironment.#create()
    delete environment.variables['MANC_BOOTSTRAP_ADMIN_USERNAME']
    delete environment.variables['MANC_BOOTSTRAP_ADMIN_PASSWORD']
    await environment.startServer()
    return environment
  }

  static async #create(): Promise<GridEnvironment> {
    const base = await createEnvironment(inject('engines'))
    // Every cell has its own record to change or delete.
    const variables = {
      ...base.variables,
      MANC_NOTIFICATION_RECEIVERS: '10000',
      MANC_NOTIFICATION_ROUTES: '10000',
      MANC_ROLLOUTS: '10000',
      MANC_EXPERIMENTS: '10000',
      MANC_EXPERIMENTS_KEPT: '10000',
      MANC_EXPERIMENTS_PER_HOUR: '10000',
      MANC_EXPERIMENT_RUNS_TOTAL: '10000',
    }
    return new GridEnvironment(base.engines, variables, () => base.drop())
  }

  logged(): string {
    return this.server.logged()
  }

  token(kind: 'user' | 'agent' | 'third_party_app', name: string, secret: string): Promise<string> {
    return tokenOf(this.url, kind, name, secret)
  }

  /** The body of an administrator's request, which has to succeed. */
  async asAdmin(method: string, path: string, body?: unknown): Promise<any> {
    const response = await this.request(method, path, body)
    if (response.status !== 200)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
    return response.body
  }

  /** Creates a record to delete. Skipped without an administrator, where the request is refused before the lookup. */
  async createRecord(path: string, body: unknown): Promise<any> {
    return this.#hasAdmin ? this.asAdmin('POST', path, body) : undefined
  }
}

export const test = environmentTest(() => GridEnvironment.open())
