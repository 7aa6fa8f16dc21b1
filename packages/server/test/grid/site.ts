import {
  admin,
  call,
  type Environment,
  makePlace,
  type Place,
  type Replica,
  startReplica,
  tokenOf,
} from '@manc/harness'
import { inject } from 'vitest'

/** A server with a place of its own, and what a test needs to furnish it. */
export class Site {
  readonly environment: Environment
  readonly #place: Place
  readonly #server: Replica
  #adminToken = ''
  #count = 0

  private constructor(place: Place, server: Replica) {
    this.environment = place.environment
    this.#place = place
    this.#server = server
  }

  static async open(): Promise<Site> {
    const place = await makePlace(inject('engines'))
    const site = new Site(place, await startReplica(place.environment))
    site.#adminToken = await site.token('user', admin.username, admin.password)
    return site
  }

  /** Nobody has been made an administrator there. */
  static async openWithoutAdmin(): Promise<Site> {
    const place = await makePlace(inject('engines'))
    delete place.environment['MANC_BOOTSTRAP_ADMIN_USERNAME']
    delete place.environment['MANC_BOOTSTRAP_ADMIN_PASSWORD']
    return new Site(place, await startReplica(place.environment))
  }

  async close(): Promise<void> {
    await this.#server.stop()
    await this.#place.drop()
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
  fresh(prefix: string): string {
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
