import type { Operation } from '@manc/contract'
import {
  admin,
  call,
  createIsolatedEnvironment,
  type IsolatedEnvironment,
  type ServerProcess,
  startServerProcess,
  tokenOf,
} from '@manc/harness'
import { limits } from '../../src/settings.ts'
import { Callers } from './callers.ts'
import { unlessBusy } from './http-exchange.ts'
import { keyMark, passwordMark, placeholders, victims } from './names.ts'
import { OnlineAgents } from './online-agents.ts'
import { keptToken } from './parties.ts'
import { Records } from './records.ts'
import { relativeMoments } from './valid-values.ts'

const password = `${passwordMark}-of-victims`

const anyPlaceholder = new RegExp(
  [...Object.values(placeholders).flat(), ...Object.keys(relativeMoments)].join('|'),
  'g',
)

/** Engines, two replicas of the server, and the records that requests refer to. */
export class FuzzEnvironment {
  readonly base: IsolatedEnvironment
  readonly servers: readonly ServerProcess[]
  readonly callers: Callers
  /** By placeholder. */
  readonly #ids = new Map<string, string>()
  readonly #online: OnlineAgents
  readonly #records: Records
  /** How much of each server's output was read. */
  readonly #readOutput: number[] = []

  private constructor(base: IsolatedEnvironment, servers: readonly ServerProcess[]) {
    this.base = base
    this.servers = servers
    this.callers = new Callers(this.url, this.adminToken)
    const parties = {
      url: this.url,
      internalUrl: this.internalUrl,
      base,
      adminToken: this.adminToken,
      ids: this.#ids,
    }
    this.#online = new OnlineAgents(parties)
    this.#records = new Records(parties)
  }

  static async open(): Promise<FuzzEnvironment> {
    const base = await createIsolatedEnvironment(withHighRates())
    try {
      const first = await startServerProcess({ ...base.variables, MANC_ROLES: 'api,subscriber,ingester' })
      const second = await startServerProcess({
        ...base.variables,
        MANC_ROLES: 'api',
        MANC_INTERNAL_PORT: '0',
      })
      const environment = new FuzzEnvironment(base, [first, second])
      await environment.callers.create()
      await environment.createVictims()
      await environment.#online.create()
      await environment.#records.create()
      return environment
    } catch (error) {
      await base.drop()
      throw error
    }
  }

  get url(): string {
    return this.servers[0]?.url ?? ''
  }

  get internalUrl(): string {
    return this.servers[0]?.internalUrl ?? ''
  }

  /** Settings that no response may contain. */
  get secrets(): string[] {
    const secret = /_(KEY|SECRET|PASSWORD|DATABASE_URL|RABBITMQ_URL)$/
    return Object.entries(this.base.variables).flatMap(([name, value]) => (secret.test(name) ? value : []))
  }

  /** Renewed before it expires: a run is longer than the life of a token. */
  readonly adminToken = keptToken(() => tokenOf(this.url, 'user', admin.username, admin.password))

  /** Creates the records that requests name, as far as earlier requests have deleted them. */
  async createVictims(): Promise<void> {
    const token = await this.adminToken()
    const post = (path: string, body: unknown) => call(this.url, 'POST', path, { token, body })
    // A password that is hashed and then refused takes as long as a hundred other requests.
    const create = async (path: string, name: string, body: unknown) => {
      const { status } = await call(this.url, 'GET', `${path}${name}`, { token })
      if (status === 404) await post(path, body)
    }
    for (const ap_id of victims.agents)
      await create('/api/v1/agents/', ap_id, { ap_id, password, configuration: {} })
    for (const username of victims.users)
      await create('/api/v1/users/', username, { username, password, roles: [] })
    for (const app_name of victims.apps)
      await create('/api/v1/third_party_apps/', app_name, {
        app_name,
        api_key: `${keyMark}-of-victims`,
        permissions: {},
      })
    for (const job of victims.jobs) await post(`/api/v1/callback/agent_data?job_number=${job}`, [1])
    for (const placeholder of placeholders.enrolments)
      this.#ids.set(placeholder, (await post('/api/v1/enrolment_tokens', {})).body.id)
    const emulators = [
      {
        access_point_type: 'WiFi',
        num_access_points: 1,
        locations: ['Bristol'],
        num_devices: 1,
        duration: 1,
      },
    ]
    for (const placeholder of placeholders.emulations)
      this.#ids.set(placeholder, (await post('/api/v1/emulator/spinup', { emulators })).body.job_number)
  }

  /** Before each chunk of requests. */
  async keepOnline(): Promise<void> {
    await this.#online.refresh()
  }

  /** Creates again what requests of this operation have deleted or changed, and removes what they have created. */
  async restore(operation: Operation): Promise<void> {
    await this.#records.restore(operation)
  }

  /** The text with ids that exist in this run, and with times around now. */
  filled(text: string): string {
    return text.replaceAll(anyPlaceholder, (found) => {
      const minutes = relativeMoments[found as keyof typeof relativeMoments]
      if (minutes === undefined) return this.#ids.get(found) ?? found
      return new Date(Date.now() + minutes * 60_000).toISOString()
    })
  }

  /** Errors that the servers have logged since the last call, and servers that have ended. */
  async newHealthProblems(): Promise<string[]> {
    const problems: string[] = []
    for (const [index, server] of this.servers.entries()) {
      const { process, url } = server
      if (process.exitCode !== null) problems.push(`server ${index} has ended with ${process.exitCode}`)
      else if ((await unlessBusy(() => call(url, 'GET', '/readyz'))).status !== 200)
        problems.push(`server ${index} is not ready`)
      const text = server.output()
      const lines = text.slice(this.#readOutput[index] ?? 0).split('\n')
      this.#readOutput[index] = text.length
      // A request that is 503 was sent again.
      const isError = (line: string) =>
        /"level":"?(50|60|error|fatal)"?|unhandled|uncaught/i.test(line) &&
        !/"status":503\b.*"msg":"request"/.test(line)
      const errors = lines.filter(isError)
      problems.push(...errors.slice(0, 5).map((line) => `server ${index} has logged ${line.slice(0, 1400)}`))
    }
    return problems
  }

  async close(): Promise<void> {
    for (const server of this.servers) await server.stop()
    await this.base.drop()
  }
}

/** Limits of rates would refuse most requests of a run. Limits of stored data stay as they are. */
function withHighRates(): Record<string, string> {
  const rates = Object.keys(limits).filter((name) => /PER_(SECOND|MINUTE|HOUR)|FAILURES|_RATE_/.test(name))
  return Object.fromEntries(rates.map((name) => [name, '1000000000']))
}
