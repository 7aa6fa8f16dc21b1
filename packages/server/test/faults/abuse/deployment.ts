import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  admin,
  call,
  createEnvironment,
  type ServerProcess,
  startServerProcess,
  tokenOf,
  type Variables,
} from '@manc/harness'
import { createFleet, type FleetAgent } from '@manc/harness/load'
import { type EngineSet, startSet } from '../../../../../tools/engines/index.ts'
import type { AttackerName } from './attack.ts'
import type { CpuGroups } from './cpu-groups.ts'
import type { NormalUser } from './normal-users.worker.ts'

interface AttackerAccount {
  username: string
  password: string
  token: string
}

const password = 'a-password-of-the-suite'
const commandedAgents = 6

/** Engines, and the roles in processes of their own: two of `api`, one of the others. Limits are the defaults. */
export class Deployment {
  readonly engines: EngineSet
  readonly variables: Variables
  readonly servers = new Map<string, ServerProcess>()
  readonly folder = mkdtempSync(path.join(tmpdir(), 'manc-abuse-'))
  fleet: FleetAgent[] = []
  commanded: FleetAgent[] = []
  users: NormalUser[] = []
  /** The credentials of the attackers. An address has none. */
  readonly attackers = new Map<AttackerName, AttackerAccount>()
  attackingAgent!: FleetAgent
  #adminToken = ''

  private constructor(engines: EngineSet, variables: Variables) {
    this.engines = engines
    this.variables = variables
  }

  static async start(size: { agents: number; users: number }): Promise<Deployment> {
    const engines = await startSet({ name: 'abuse', ephemeral: true })
    const { variables } = await createEnvironment(engines.urls)
    const deployment = new Deployment(engines, { ...variables, MANC_RABBITMQ_URL: engines.urls.rabbitmq })
    try {
      await deployment.#startServers()
      await deployment.#createCallers(size)
      return deployment
    } catch (error) {
      await deployment.stop()
      throw error
    }
  }

  get urls(): string[] {
    return ['api1', 'api2'].map((name) => this.servers.get(name)?.url ?? '')
  }

  get databaseUrl(): string {
    return this.variables['MANC_DATABASE_URL'] ?? ''
  }

  /** Each engine and each server process is one instance of a service. */
  addTo(groups: CpuGroups): void {
    for (const engine of ['postgres', 'rabbitmq', 'victoria'] as const) {
      // A process that it started before it was moved itself is in the second list.
      for (let times = 0; times < 2; times++)
        groups.addService(engine, engine, this.engines.inspect(engine).pids)
    }
    for (const [name, { pid }] of this.servers) groups.addService(name.replace(/\d$/, ''), name, [pid])
  }

  async stop(): Promise<void> {
    for (const server of this.servers.values()) await server.stop('SIGKILL')
    await this.engines.down()
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #startServers(): Promise<void> {
    const start = async (name: string, roles: string, more: Variables = {}) => {
      this.servers.set(name, await startServerProcess({ ...this.variables, MANC_ROLES: roles, ...more }))
    }
    // The broker authenticates agents at this one.
    await start('api1', 'api', { MANC_INTERNAL_PORT: String(this.engines.ports.internal) })
    const apiUrl = { MANC_API_URL: this.servers.get('api1')?.url ?? '' }
    await Promise.all([
      start('api2', 'api'),
      start('subscriber', 'subscriber', apiUrl),
      start('ingester', 'ingester'),
    ])
  }

  async #createCallers(size: { agents: number; users: number }): Promise<void> {
    const [url = ''] = this.urls
    this.#adminToken = await tokenOf(url, 'user', admin.username, admin.password)
    this.fleet = await createFleet(this.variables, 'load', size.agents)
    this.commanded = await createFleet(this.variables, 'commanded', commandedAgents)
    ;[this.attackingAgent] = (await createFleet(this.variables, 'attacker', 1)) as [FleetAgent]
    for (let n = 0; n < size.users; n++) {
      const isOperator = n % 2 === 0
      const username = `user-${n}@normal.test`
      await this.#create('/api/v1/users/', { username, password, roles: [isOperator ? 'operator' : 'user'] })
      this.users.push({
        username,
        password,
        token: await tokenOf(url, 'user', username, password),
        isOperator,
      })
    }
    const username = 'account@abuse.test'
    await call(url, 'POST', '/api/v1/users/signup', { body: { username, password } })
    this.attackers.set('account', {
      username,
      password,
      token: await tokenOf(url, 'user', username, password),
    })
    const app = 'abusive-app'
    await this.#create('/api/v1/third_party_apps/', { app_name: app, api_key: password, permissions: {} })
    this.attackers.set('app', {
      username: app,
      password,
      token: await tokenOf(url, 'third_party_app', app, password),
    })
  }

  async #create(route: string, body: unknown): Promise<void> {
    const { status, body: answer } = await call(this.urls[0] ?? '', 'POST', route, {
      token: this.#adminToken,
      body,
    })
    if (status !== 200) throw new Error(`${route}: ${status} ${JSON.stringify(answer)}`)
  }
}
