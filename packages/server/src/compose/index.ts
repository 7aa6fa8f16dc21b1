import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Config, dataKeysOf, listOf, otherKeys, WrongSettings } from '../config.ts'
import { migrate } from '../engines/postgres.ts'
import { HashQueue } from '../hash-queue.ts'
import { defineHealthMetrics } from '../http/health.ts'
import { createInternalServer } from '../http/internal.ts'
import { Limits } from '../limits.ts'
import { Loop } from '../loop.ts'
import type { Background } from '../module.ts'
import { isReencrypted, statusText } from '../modules/keys/index.ts'
import { checkedAdmin } from '../modules/users/index.ts'
import { EventLoopLoad } from '../replica-load.ts'
import { Secrets } from '../secrets.ts'
import type { Role } from '../settings.ts'
import { createApi } from './api.ts'
import { createEngines } from './engines.ts'
import { createMetrics } from './metrics.ts'
import { createModules } from './modules.ts'
import { createTracing } from './tracing.ts'
import { version } from './version.ts'

/** A running server. */
export interface Server {
  start(): Promise<void>
  /** With `drain`, requests are served for MANC_DRAIN_SECONDS more while `/readyz` fails. */
  stop(options: { drain: boolean }): Promise<void>
  /** Where the public interface listens; undefined without the api role. */
  readonly url: string | undefined
  readonly internalUrl: string
}

const sweepIntervalMs = 60_000

interface PlatformOptions {
  /** For a connection to the database, and for the response to a query. */
  databaseTimeoutMs?: number
}

/** `options`: without them, those of a server in production. */
export function compose(config: Config, log: Logger, options: PlatformOptions = {}): Server {
  const roles = new Set(listOf(config.MANC_ROLES) as Role[])
  if (roles.has('subscriber') && !roles.has('api') && config.MANC_API_URL === undefined)
    throw new WrongSettings('Wrong settings:\n  MANC_API_URL is needed by a subscriber without the role api.')
  let api: FastifyInstance | undefined
  let isStopping = false
  const { platform, checks, stopEngines } = createPlatform(config, log, options)
  const modules = createModules(platform, () => config.MANC_API_URL ?? (api && urlOf(api)) ?? '')
  defineHealthMetrics(platform.metrics, checks)
  const health = { checks, isStopping: () => isStopping }
  const internal = createInternalServer({
    metrics: platform.metrics,
    metricsToken: config.MANC_METRICS_TOKEN,
    health,
    routes: roles.has('api') ? modules.all.flatMap(({ internalRoutes }) => internalRoutes ?? []) : [],
  })
  const background = (role: Role | 'all'): readonly Background[] =>
    role === 'all' || roles.has(role) ? modules.all.flatMap((each) => each.background?.[role] ?? []) : []
  const sweeping = new Loop({
    name: 'deleting expired rows',
    intervalMs: sweepIntervalMs,
    log,
    run: async () => {
      await Promise.all(modules.all.map(async (each) => each.sweep?.()))
    },
  })

  return {
    async start() {
      await migrate(config.MANC_DATABASE_URL, log)
      await platform.tracing.start()
      log.info(modules.keys.keys.acceptedIds(), 'accepted keys, the current one first')
      await platform.rabbitMq.start()
      platform.victoria.start()
      await start(background('all'))
      await start(background('ingester'))
      await internal.listen({ host: config.MANC_INTERNAL_HOST, port: config.MANC_INTERNAL_PORT })
      if (roles.has('api')) {
        await start(background('api'))
        api = await createApi(platform, { health, tokens: modules.tokens, modules: modules.all })
        await api.listen({ host: config.MANC_HOST, port: config.MANC_PORT })
        platform.load.start()
      }
      // Results of jobs are posted to the API, which may be the one of this process.
      await start(background('subscriber'))
      if (roles.has('subscriber')) sweeping.start()
    },
    async stop({ drain }) {
      isStopping = true
      // Load balancers notice that /readyz fails, and send the next requests to other replicas.
      if (api && drain) await sleep(config.MANC_DRAIN_SECONDS * 1000)
      await stop([...background('subscriber'), sweeping])
      await api?.close()
      platform.load.stop()
      await stop(background('api'))
      await stop(background('ingester'))
      await stop(background('all'))
      await internal.close()
      await Promise.all([stopEngines(), platform.tracing.stop()])
    },
    get url() {
      return api && urlOf(api)
    },
    get internalUrl() {
      return urlOf(internal)
    },
  }
}

/** For the command line: creates an administrator without a running server. */
export async function createAdmin(
  config: Config,
  log: Logger,
  username: string,
  password: string,
): Promise<void> {
  await migrate(config.MANC_DATABASE_URL, log)
  await withModules(config, log, ({ users: { users } }) =>
    users.create(checkedAdmin({ username, password }), commandLine),
  )
}

/** For the command line: which keys are in use, and whether the previous ones are still needed. */
export function keyStatus(config: Config, log: Logger): Promise<string> {
  return withModules(config, log, async ({ keys: { keys } }) => statusText(await keys.status()))
}

/** For the command line: re-encrypts with the current data key. False if some data cannot be decrypted. */
export function rotateKeys(config: Config, log: Logger, print: (text: string) => void): Promise<boolean> {
  return withModules(config, log, async ({ keys: { keys } }) => {
    const rows = await keys.reencrypt(commandLine, (name, done) => print(`${name}: ${done} re-encrypted`))
    print(`${rows} rows were re-encrypted.\n`)
    const status = await keys.status()
    print(statusText(status))
    return isReencrypted(status)
  })
}

/** For the command line: shows the telemetry queues or, with a count, changes their number. */
export function telemetryQueues(
  config: Config,
  log: Logger,
  count: number | undefined,
  print: (text: string) => void,
): Promise<void> {
  return withModules(config, log, async ({ ingest: { queues } }) => {
    if (count !== undefined) await queues.setCount(count, print)
    print(await queues.status())
  })
}

const commandLine = { kind: 'command-line', name: 'manc-server' }

async function withModules<T>(
  config: Config,
  log: Logger,
  work: (modules: ReturnType<typeof createModules>) => Promise<T>,
): Promise<T> {
  // A command has more time than a request.
  const { platform } = createPlatform(config, log, { databaseTimeoutMs: 30_000 })
  try {
    return await work(createModules(platform, () => ''))
  } finally {
    await platform.postgres.stop()
  }
}

function createPlatform(config: Config, log: Logger, options: PlatformOptions) {
  const metrics = createMetrics(config, log)
  const { checks, stopEngines, ...engines } = createEngines(config, log, metrics, options)
  const tracing = createTracing(config, log)
  const dataKeys = dataKeysOf(config)
  const limits = new Limits(metrics)
  const load = new EventLoopLoad()
  const hashing = new HashQueue({ limits, maxQueuedPerOwner: config.MANC_PASSWORD_HASHES_PER_OWNER })
  hashing.defineMetrics(metrics)
  const secrets = new Secrets({ dataKey: dataKeys.current, otherDataKeys: otherKeys(dataKeys), hashing })
  return {
    platform: { config, version, log, ...engines, checks, secrets, metrics, limits, load, tracing },
    checks,
    stopEngines,
  }
}

async function start(background: readonly Background[]): Promise<void> {
  for (const each of background) await each.start()
}

async function stop(background: readonly Background[]): Promise<void> {
  await Promise.all(background.map(async (each) => each.stop?.()))
}

function urlOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address
  return `http://${family === 'IPv6' && host !== '127.0.0.1' ? `[${host}]` : host}:${port}`
}
