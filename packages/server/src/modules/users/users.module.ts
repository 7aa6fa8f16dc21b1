import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import type { RevocationsModule } from '../revocations/index.ts'
import { accountOf, type ThrottleModule } from '../throttle/index.ts'
import { bootstrapOf } from './admin.settings.ts'
import { FirstAdmin } from './first-admin.ts'
import { recoveryConsumer } from './recovery.consumer.ts'
import { RecoveryService } from './recovery.service.ts'
import { RecoveryStore } from './recovery.store.ts'
import { userRoutes } from './users.routes.ts'
import { UserService } from './users.service.ts'
import { UserStore } from './users.store.ts'

export type UsersModule = ReturnType<typeof createUsersModule>

export function createUsersModule(
  { config, log, postgres, mail, secrets }: Platform,
  {
    revocations: { revocations },
    throttle: { throttle },
  }: { revocations: RevocationsModule; throttle: ThrottleModule },
) {
  const store = new UserStore(postgres)
  const users = new UserService({ postgres, store, secrets, revocations })
  const firstAdmin = new FirstAdmin({ postgres, store, users, secrets, log })
  const recovery = new RecoveryService({
    postgres,
    store: new RecoveryStore(postgres),
    users: store,
    secrets,
    revocations,
    mail,
    log,
    publicUrl: config.MANC_PUBLIC_URL,
    tokenLifetimeS: config.MANC_RESET_TOKEN_SECONDS,
    perHour: config.MANC_RECOVERIES_PER_HOUR,
    forgive: (username) => throttle.forgive(accountOf('user', username)),
  })
  return {
    users,
    userStore: store,
    firstAdmin,
    routes: (api: FastifyInstance) => userRoutes(api, { users, recovery, firstAdmin }),
    background: {
      api: [{ start: () => firstAdmin.atStart(bootstrapOf(config)) }],
      subscriber: [recoveryConsumer(recovery, log)],
    },
    sweep: () => recovery.sweep(),
  }
}
