import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type ApiResponse, call, type RequestOptions, tokenOf } from '@manc/harness'
import type { MailInbox } from '@manc/harness/mail-inbox'

export interface Account {
  name: string
  secret: string
}

const LONGEST_WAIT_MS = 15_000

/** The server under test, an administrator of it, and whatever the exercises have made there. */
export class ConformanceEnvironment {
  readonly url: string
  readonly adminToken: string
  readonly admin: Account
  readonly mail: MailInbox | undefined
  /** Passwords that are in use: none may ever be seen in an answer. */
  readonly passwords = new Set<string>()
  readonly #created = new Set<string>()
  #agentWithData: Promise<Account> | undefined

  constructor(url: string, admin: Account, adminToken: string, mail: MailInbox | undefined) {
    this.url = url
    this.admin = admin
    this.adminToken = adminToken
    this.mail = mail
    // A short one, given on the command line, could be part of an innocent word.
    if (admin.secret.length >= 8) this.passwords.add(admin.secret)
  }

  static async open(url: string, admin: Account, mail?: MailInbox): Promise<ConformanceEnvironment> {
    return new ConformanceEnvironment(url, admin, await tokenOf(url, 'user', admin.name, admin.secret), mail)
  }

  /** A name that nothing has yet. */
  name(): string {
    return `conformance-${randomBytes(8).toString('hex')}`
  }

  password(): string {
    const password = `secret-${randomBytes(12).toString('hex')}`
    this.passwords.add(password)
    return password
  }

  /** The name and password of a user who does not exist yet; removed at the end if it does by then. */
  newUser(): Account {
    const name = `${this.name()}@manc.test`
    this.deleteAtEnd(`/api/v1/users/${encodeURIComponent(name)}`)
    return { name, secret: this.password() }
  }

  newAgent(): Account {
    const name = this.name()
    this.deleteAtEnd(`/api/v1/agents/${name}`)
    return { name, secret: this.password() }
  }

  newApp(): Account {
    const name = this.name()
    this.deleteAtEnd(`/api/v1/third_party_apps/${name}`)
    // By the interface an API key is part of the app's record, so it is not watched for.
    return { name, secret: `key-${randomBytes(12).toString('hex')}` }
  }

  async user(): Promise<Account> {
    const user = this.newUser()
    await this.#must('POST', '/api/v1/users/', {
      token: this.adminToken,
      body: { username: user.name, password: user.secret, roles: ['user'] },
    })
    return user
  }

  async agent(configuration: Record<string, unknown> = {}): Promise<Account> {
    const agent = this.newAgent()
    await this.#must('POST', '/api/v1/agents/', {
      token: this.adminToken,
      body: { ap_id: agent.name, password: agent.secret, configuration },
    })
    return agent
  }

  async app(permissions: Record<string, unknown> = {}): Promise<Account> {
    const app = this.newApp()
    await this.#must('POST', '/api/v1/third_party_apps/', {
      token: this.adminToken,
      body: { app_name: app.name, api_key: app.secret, permissions },
    })
    return app
  }

  tokenOfAgent({ name, secret }: Account): Promise<string> {
    return tokenOf(this.url, 'agent', name, secret)
  }

  tokenOfUser({ name, secret }: Account): Promise<string> {
    return tokenOf(this.url, 'user', name, secret)
  }

  tokenOfApp({ name, secret }: Account): Promise<string> {
    return tokenOf(this.url, 'third_party_app', name, secret)
  }

  /** One agent with a sample that can be read already; the same for every exercise. */
  reportingAgent(): Promise<Account> {
    this.#agentWithData ??= this.#makeReportingAgent()
    return this.#agentWithData
  }

  async #makeReportingAgent(): Promise<Account> {
    const agent = await this.agent()
    await this.#must('POST', '/api/v1/agent_update/update', {
      token: await this.tokenOfAgent(agent),
      body: {
        ap_id: agent.name,
        ts: new Date().toISOString(),
        payload: { clients: 5, throughput_mbps: 12.5 },
      },
    })
    const path = `/api/v1/metrics/agent_multi_metric_data?agent=${agent.name}&metrics=clients,throughput_mbps`
    for (const deadline = Date.now() + LONGEST_WAIT_MS; Date.now() < deadline; await delay(200)) {
      const { body } = await call(this.url, 'GET', path, { token: this.adminToken })
      const series: { points?: unknown[] }[] = body?.series ?? []
      if (series.length === 2 && series.every(({ points }) => points?.length)) return agent
    }
    throw new Error('the first sample of a new agent could not be read within 15 s')
  }

  async resetTokenOf(user: Account, mail: MailInbox): Promise<string> {
    await this.#must('POST', '/api/v1/users/password-recovery', { body: { username: user.name } })
    return mail.resetTokenFor(user.name)
  }

  /** An address to delete when all is done. */
  deleteAtEnd(path: string): void {
    this.#created.add(path)
  }

  /** A server that was there before is left as it was found, as far as the interface can. */
  async deleteCreated(): Promise<void> {
    for (const path of this.#created) await call(this.url, 'DELETE', path, { token: this.adminToken })
  }

  async #must(method: string, path: string, given: RequestOptions): Promise<ApiResponse> {
    const answer = await call(this.url, method, path, given)
    if (answer.status === 200) return answer
    throw new Error(`preparing with ${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
}
