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

/** A server with a place of its own, and what a test needs to furnish it. */
export class Site {
  readonly variables: Variables
  readonly #environment: TestEnvironment
  readonly #server: Replica
  #adminToken = ''
  #count = 0

  private constructor(environment: TestEnvironment, server: Replica) {
    this.variables = environment.variables
    this.#environment = environment
    this.#server = server
  }

  static async open(): Promise<Site> {
    const environment = await createEnvironment(inject('engines'))
    const site = new Site(environment, await startReplica(environment.variables))
    site.#adminToken = await site.token('user', admin.username, admin.password)
    return site
  }

  /** Nobody has been made an administrator there. */
  static async openWithoutAdmin(): Promise<Site> {
    const environment = await createEnvironment(inject('engines'))
    delete environment.variables['MANC_BOOTSTRAP_ADMIN_USERNAME']
    delete environment.variables['MANC_BOOTSTRAP_ADMIN_PASSWORD']
    return new Site(environment, await startReplica(environment.variables))
  }

  async close(): Promise<void> {
    await this.#server.stop()
    await this.#environment.drop()
  }

  sql(text: string, values: unknown[]): Promise<unknown[]> {
    return this.#environment.sql(text, values)
  }

  get url(): string {
    return this.#server.url
  }

  get adminToken(): string {
    return this.#adminToken
  }

  logged(): string {
    return this.#server.logged()
  }

  /** A name that nobody has yet. */
  uniqueName(prefix: string): string {
    return `${prefix}-${++this.#count}`
  }

  token(kind: 'user' | 'agent' | 'third_party_app', name: string, secret: string): Promise<string> {
    return tokenOf(this.url, kind, name, secret)
  }

  /** The body of an administrator's request, which has to succeed. */
  async asAdmin(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await call(this.url, method, path, { token: this.#adminToken, body })
    if (answer.status !== 200)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /** Makes something to be deleted. Where nobody could, refusals come before anyone looks for it. */
  async furnish(path: string, body: unknown): Promise<any> {
    return this.#adminToken === '' ? undefined : this.asAdmin('POST', path, body)
  }
}
