import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  admin,
  createEnvironment,
  type ServerProcess,
  startServerProcess,
  tokenOf,
  type Variables,
} from '@manc/harness'
import { type EngineSet, type ProgramResult, startSet } from '../../../../tools/engines/index.ts'

const commands = path.join(import.meta.dirname, '../../../../deploy/backup')

export interface Backup {
  folder: string
  manifest: Record<string, string>
  seconds: number
  bytes: number
}

/** A controller: engines, an `api` and an `ingester`, and the commands for backups. */
export class Site {
  readonly engines: EngineSet
  readonly variables: Variables
  readonly #processes: ServerProcess[] = []
  #isDestroyed = false
  url = ''
  /** Of the administrator. */
  token = ''

  private constructor(engines: EngineSet, variables: Variables) {
    this.engines = engines
    this.variables = variables
  }

  /** Engines without data. */
  static async create(keys: Variables = {}): Promise<Site> {
    const engines = await startSet({ name: 'restore', ephemeral: true })
    const { variables } = await createEnvironment(engines.urls)
    return new Site(engines, {
      ...variables,
      MANC_DATABASE_URL: engines.urls.postgres,
      MANC_RABBITMQ_URL: engines.urls.rabbitmq,
      MANC_LOG_LEVEL: 'info',
      MANC_RATE_AGENT_PER_MINUTE: '100000',
      ...keys,
    })
  }

  get databaseUrl(): string {
    return this.engines.urls.postgres
  }

  get victoriaDir(): string {
    return path.join(this.engines.dataDir, 'victoria')
  }

  async start(): Promise<void> {
    const internal = { MANC_INTERNAL_PORT: String(this.engines.ports.internal) }
    const api = await startServerProcess({ ...this.variables, MANC_ROLES: 'api,subscriber', ...internal })
    this.#processes.push(api)
    this.#processes.push(await startServerProcess({ ...this.variables, MANC_ROLES: 'ingester' }))
    this.url = api.url
    this.token = await tokenOf(api.url, 'user', admin.username, admin.password)
  }

  /** As a failure of the whole machine: nothing is stopped in order, and all disks are gone. */
  async destroy(): Promise<void> {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    await Promise.all([
      ...this.#processes.map((each) => each.stop('SIGKILL')),
      this.engines.kill('postgres'),
      this.engines.kill('rabbitmq'),
      this.engines.kill('victoria'),
    ])
    await this.engines.down()
  }

  /** Into `to`, a folder of several backups. */
  async backUp(to: string, ...options: string[]): Promise<Backup> {
    const startedAt = performance.now()
    const args = ['--to', to, '--victoria-data', this.victoriaDir, ...options]
    const { code, output } = await this.#run('backup', args, to)
    const seconds = secondsSince(startedAt)
    const [, folder = '', size] = /complete: (\S+), (\d+) KiB/.exec(output) ?? []
    if (code !== 0 || !readdirSync(to).includes(path.basename(folder)))
      throw new Error(`backup ended with ${code}: ${output}`)
    const lines = readFileSync(path.join(folder, 'manifest'), 'utf8').trim().split('\n')
    const manifest = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)))
    return { folder, manifest, seconds, bytes: Number(size) * 1024 }
  }

  restore(from: string, more: Variables = {}): Promise<ProgramResult> {
    return this.#run('restore', ['--from', from, '--victoria-data', this.victoriaDir], from, more)
  }

  #run(name: string, args: string[], folder: string, more: Variables = {}): Promise<ProgramResult> {
    const { MANC_DATABASE_URL = '', MANC_VICTORIA_URL = '', MANC_DATA_KEY = '' } = this.variables
    return this.engines.run({
      file: path.join(commands, name),
      args,
      env: { MANC_DATABASE_URL, MANC_VICTORIA_URL, MANC_DATA_KEY, ...more },
      folders: [folder],
    })
  }
}

export const secondsSince = (startedAt: number) => Math.round((performance.now() - startedAt) / 100) / 10
