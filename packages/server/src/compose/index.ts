import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Config, listOf, type Role, WrongSettings } from '../config.ts'
import { migrate } from '../engines/postgres.ts'
import { createInternalServer } from '../http/internal.ts'
import { Metrics } from '../http/metrics.ts'
import { Loop } from '../loop.ts'
import { brokerRoutes, disconnectionsConsumer } from '../modules/broker/index.ts'
import { recoveryConsumer } from '../modules/users/index.ts'

import { makeApi } from './api.ts'
import { makeEngines } from './engines.ts'
import { bootstrapOf, checkedAdmin } from './first-admin.ts'
import { makeRooms } from './rooms.ts'

/** A running server: what it is made of is decided here and nowhere else. */
export interface Server {
  start(): Promise<void>
  stop(): Promise<void>
  /** Where the public interface listens; undefined without the api role. */
  readonly url: string | undefined
  readonly internalUrl: string
}

const lookEveryMs = 400
const sweepEveryMs = 60_000

export function compose(config: Config, log: Logger): Server {
  const roles = new Set(listOf(config.MANC_ROLES) as Role[])
  if (roles.has('subscriber') && !roles.has('api') && config.MANC_API_URL === undefined)
    throw new WrongSettings('Wrong settings:\n  MANC_API_URL is needed by a subscriber without the role api.')
  let api: FastifyInstance | undefined
  const engines = makeEngines(config, log)
  const rooms = makeRooms(config, log, engines, () => config.MANC_API_URL ?? (api && urlOf(api)) ?? '')
  const metrics = new Metrics()
  const internal = createInternalServer({
    metrics,
    checks: engines.checks,
    routes: roles.has('api')
      ? [brokerRoutes({ broker: rooms.broker, secret: config.MANC_BROKER_SECRET, metrics, log })]
      : [],
  })
  const loops = [
    new Loop({
      name: 'following revocations',
      everyMs: lookEveryMs,
      log,
      round: () => rooms.revocations.look(),
    }),
    new Loop({
      name: 'forgetting old revocations',
      everyMs: sweepEveryMs,
      log,
      round: async () => rooms.revocations.forgetOld(),
    }),
    ...(roles.has('subscriber')
      ? [
          recoveryConsumer(rooms.recovery, log),
          disconnectionsConsumer(rooms.disconnections, log),
          new Loop({
            name: 'looking after emulations',
            everyMs: 1000,
            log,
            round: () => rooms.emulator.look(),
          }),
          new Loop({ name: 'sweeping', everyMs: sweepEveryMs, log, round: () => rooms.sweep() }),
        ]
      : []),
  ]

  return {
    async start() {
      await migrate(config.MANC_DATABASE_URL, log)
      await engines.rabbitMq.start()
      await rooms.revocations.look()
      for (const loop of loops) loop.start()
      if (roles.has('ingester')) {
        rooms.ingester.start()
        rooms.presence.start()
      }
      await internal.listen({ host: config.MANC_INTERNAL_HOST, port: config.MANC_INTERNAL_PORT })
      if (roles.has('api')) {
        await rooms.firstAdmin.atStart(bootstrapOf(config))
        await rooms.mailbox.sweep()
        rooms.outbox.start()
        rooms.sockets.start()
        rooms.desk.start()
        api = await makeApi(config, log, engines, rooms, metrics)
        await api.listen({ host: config.MANC_HOST, port: config.MANC_PORT })
      }
      if (roles.has('subscriber')) {
        rooms.updateConsumer.start()
        rooms.worker.start()
        rooms.dispatcher.start()
      }
    },
    async stop() {
      if (roles.has('subscriber')) await Promise.all([rooms.worker.stop(), rooms.dispatcher.stop()])
      if (roles.has('api')) await rooms.sockets.stop()
      await api?.close()
      if (roles.has('api')) await Promise.all([rooms.outbox.stop(), rooms.desk.stop()])
      if (roles.has('ingester')) await Promise.all([rooms.ingester.stop(), rooms.presence.stop()])
      await Promise.all(loops.map((loop) => loop.stop()))
      await internal.close()
      await Promise.allSettled([engines.rabbitMq.stop(), engines.postgres.stop()])
      engines.victoria.stop()
      engines.mail.stop()
    },
    get url() {
      return api && urlOf(api)
    },
    get internalUrl() {
      return urlOf(internal)
    },
  }
}

/** For the command line: an administrator, without a running server. */
export async function createAdmin(
  config: Config,
  log: Logger,
  username: string,
  password: string,
): Promise<void> {
  await migrate(config.MANC_DATABASE_URL, log)
  const engines = makeEngines(config, log)
  try {
    const { users } = makeRooms(config, log, engines, () => '')
    await users.create(checkedAdmin({ username, password }), { kind: 'command-line', name: 'manc-server' })
  } finally {
    await engines.postgres.stop()
  }
}

function urlOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address
  return `http://${family === 'IPv6' && host !== '127.0.0.1' ? `[${host}]` : host}:${port}`
}
