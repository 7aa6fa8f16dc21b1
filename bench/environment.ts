import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import {
  admin,
  createEnvironment,
  type ServerProcess,
  serverVariables,
  startServerProcess,
  TestEnvironment,
  tokenOf,
} from '@manc/harness'
import { type EngineSet, startSet } from '../tools/engines/index.ts'

/** Engines, a database and a server process as in production. */
export interface BenchEnvironment extends Pick<TestEnvironment, BenchFields> {
  engines: EngineSet
  server: ServerProcess
  /** Token of the administrator. */
  token: string
  end(): Promise<void>
}

type BenchFields = 'variables' | 'databaseUrl' | 'rabbitmqUrl' | 'sql'

interface BenchOptions {
  /** The server uses the broker's default virtual host, where MQTT works; otherwise a new one. */
  ownBroker?: boolean
  /** Of the server; api and subscriber if absent. */
  roles?: string
  /** Several nodes of each engine. The database is the default one, and so is the virtual host. */
  cluster?: boolean
  /** More settings of the server. */
  variables?: Record<string, string>
}

export async function createBenchEnvironment(
  log: (line: string) => void,
  options: BenchOptions = {},
): Promise<BenchEnvironment> {
  log('starting the engines …')
  const engines = await startSet({ name: 'bench', ephemeral: true, cluster: options.cluster === true })
  const environment = options.cluster
    ? new TestEnvironment(engines.urls, serverVariables(engines.urls), () => engines.down())
    : await createEnvironment(engines.urls)
  Object.assign(environment.variables, {
    MANC_RATE_CALLER_PER_MINUTE: '1000000000',
    MANC_RATE_AGENT_PER_MINUTE: '1000000000',
    MANC_LOGINS_PER_MINUTE: '1000000000',
    MANC_JOBS_PER_HOUR: '1000000000',
    MANC_EMULATED_AGENTS: '1000000000',
    MANC_EMULATED_AGENTS_TOTAL: '1000000000',
    MANC_AGENT_MESSAGES_PER_SECOND: '1000000',
    MANC_AGENT_SAMPLES_PER_SECOND: '1000000',
    MANC_AGENT_BYTES_PER_SECOND: '1000000000',
    MANC_LOG_LEVEL: 'info',
    ...(options.ownBroker && { MANC_RABBITMQ_URL: engines.urls.rabbitmq }),
    ...options.variables,
  })
  const internalPort = options.ownBroker ? { MANC_INTERNAL_PORT: String(engines.ports.internal) } : {}
  const server = await startServerProcess({
    ...environment.variables,
    MANC_ROLES: options.roles ?? 'api,subscriber',
    ...internalPort,
  })
  const token = await tokenOf(server.url, 'user', admin.username, admin.password)
  return {
    engines,
    variables: environment.variables,
    databaseUrl: environment.databaseUrl,
    rabbitmqUrl: environment.rabbitmqUrl,
    sql: (text, values) => environment.sql(text, values),
    server,
    token,
    async end() {
      await server.stop()
      await engines.down()
    },
  }
}

/** A child process that does the same work with the engine's library only, as the baseline of a bench. */
export async function startBare(
  file: string,
  variables: Record<string, string>,
): Promise<{ url: string; stop(): void }> {
  const child: ChildProcess = spawn(process.execPath, [path.join(import.meta.dirname, 'bare', file)], {
    env: { PATH: process.env['PATH'], ...variables },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(message as string))
    child.once('exit', (code) => reject(new Error(`the baseline server ended with ${code}`)))
  })
  return { url, stop: () => child.kill('SIGKILL') }
}
