import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import type { AuditModule } from '../audit/index.ts'
import type { RevocationsModule } from '../revocations/index.ts'
import type { ThrottleModule } from '../throttle/index.ts'
import { bootstrapAdminOf } from './bootstrap-admin.rules.ts'
import { FirstAdminService } from './first-admin.service.ts'
import { recoveryLoop } from './recovery.loop.ts'
import { RecoveryService } from './recovery.service.ts'
import { RecoveryStore } from './recovery.store.ts'
import { SetupTokenStore } from './setup-tokens.store.ts'
import { SignUpService } from './signup.service.ts'
import { userRoutes } from './users.routes.ts'
import { UserService } from './users.service.ts'
import { UserStore } from './users.store.ts'

export type UsersModule = ReturnType<typeof createUsersModule>

export function createUsersModule(
  { config, log, postgres, mail, secrets, limits }: Platform,
  {
    audit: { logins },
    revocations: { revocations },
    throttle: { throttle, passwordChanges, confirmations },
  }: { audit: AuditModule; revocations: RevocationsModule; throttle: ThrottleModule },
) {
  const store = new UserStore(postgres)
  const users = new UserService({
    postgres,
    store,
    secrets,
    revocations,
    throttle,
    logins,
    passwordChanges,
    needsCurrentPassword: config.MANC_CURRENT_PASSWORD === 'required',
  })
  const firstAdmin = new FirstAdminService({
    setupTokens: new SetupTokenStore(postgres),
    store,
    users,
    secrets,
    log,
  })
  const tokens = new RecoveryStore(postgres)
  const recovery = new RecoveryService({
    postgres,
    store: tokens,
    users: store,
    secrets,
    revocations,
    throttle,
    mail,
    log,
    publicUrl: config.MANC_PUBLIC_URL,
    tokenLifetimeS: config.MANC_RESET_TOKEN_SECONDS,
    limits,
    perHour: config.MANC_RECOVERIES_PER_HOUR,
  })
  const signUps = new SignUpService({
    postgres,
    users,
    store,
    tokens,
    recovery,
    secrets,
    throttle,
    logins,
    confirmations,
    mode: config.MANC_SIGNUP,
    confirmWithinS: config.MANC_CONFIRMATION_SECONDS,
  })
  const options = { signup: config.MANC_SIGNUP, current_password: config.MANC_CURRENT_PASSWORD }
  return {
    users,
    firstAdmin,
    routes: (api: FastifyInstance) => userRoutes(api, { users, signUps, recovery, firstAdmin, options }),
    background: {
      api: [{ start: () => firstAdmin.ensure(bootstrapAdminOf(config)) }],
      subscriber: [recoveryLoop(recovery, log)],
    },
    sweep: async () => {
      await recovery.sweep()
      await signUps.sweep()
    },
  }
}
