import type { FastifyInstance } from 'fastify'
import { longestTokenS, otherKeys, tokenKeysOf, tokenLifetimesS } from '../../config.ts'
import type { Platform } from '../../module.ts'
import type { AgentsModule } from '../agents/index.ts'
import type { AppsModule } from '../apps/index.ts'
import type { AuditModule } from '../audit/index.ts'
import type { EnrolmentModule } from '../enrolment/index.ts'
import type { EventsModule } from '../events/index.ts'
import type { RevocationsModule } from '../revocations/index.ts'
import type { ThrottleModule } from '../throttle/index.ts'
import type { UsersModule } from '../users/index.ts'
import { AppCredentialsService } from './app-credentials.service.ts'
import { Jwt } from './jwt.format.ts'
import { LoginService } from './login.service.ts'
import { tokenRoutes } from './tokens.routes.ts'
import { TokenService } from './tokens.service.ts'

export type TokensModule = ReturnType<typeof createTokensModule>

interface Uses {
  audit: AuditModule
  users: UsersModule
  agents: AgentsModule
  apps: AppsModule
  enrolment: EnrolmentModule
  events: EventsModule
  revocations: RevocationsModule
  throttle: ThrottleModule
}

export function createTokensModule({ config, secrets, metrics, postgres }: Platform, uses: Uses) {
  const lifetimesS = tokenLifetimesS(config)
  const keys = tokenKeysOf(config)
  const login = new LoginService({
    users: uses.users.users,
    agents: uses.agents.agents,
    apps: uses.apps.apps,
    secrets,
    throttle: uses.throttle.throttle,
    logins: uses.throttle.logins,
    audit: uses.audit.logins,
    postgres,
    events: uses.events.events,
    countLookup: metrics.cache('agent passwords'),
  })
  const tokens = new TokenService({
    postgres,
    login,
    apps: uses.apps.apps,
    firstAdmin: uses.users.firstAdmin,
    enrolment: uses.enrolment.enrolment,
    jwt: new Jwt({ key: keys.current, otherKeys: otherKeys(keys), maxLifetimeS: longestTokenS(config) }),
    revocations: uses.revocations.revocations,
    lifetimesS,
    maxSessionS: config.MANC_SESSION_SECONDS,
    countLookup: metrics.cache('tokens'),
  })
  const apps = new AppCredentialsService({ tokens, secrets })
  return { tokens, apps, routes: (api: FastifyInstance) => tokenRoutes(api, tokens) }
}
