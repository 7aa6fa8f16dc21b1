import type { Logger } from 'pino'
import { type Config, listOf } from '../config.ts'
import { serveConsole } from '../http/console.ts'
import { serveDocs } from '../http/docs.ts'
import { serveHealth } from '../http/health.ts'
import { Metrics } from '../http/metrics.ts'
import { createServer } from '../http/server.ts'
import { agentRoutes, detailsRoutes } from '../modules/agents/index.ts'
import { appRoutes } from '../modules/apps/index.ts'
import { auditRoutes } from '../modules/audit/index.ts'
import { commandRoutes } from '../modules/commands/index.ts'
import { emulatorRoutes } from '../modules/emulations/index.ts'
import { enrolmentRoutes } from '../modules/enrolment/index.ts'
import { fleetRoutes } from '../modules/fleet/index.ts'
import { callbackRoutes, jobRoutes } from '../modules/jobs/index.ts'
import { socketRoutes } from '../modules/sockets/index.ts'
import { telemetryRoutes } from '../modules/telemetry/index.ts'
import { tokenRoutes } from '../modules/tokens/index.ts'
import { updateRoutes } from '../modules/updates/index.ts'
import { userRoutes } from '../modules/users/index.ts'

import type { Engines } from './engines.ts'
import type { Rooms } from './rooms.ts'

export async function makeApi(config: Config, log: Logger, engines: Engines, rooms: Rooms, metrics: Metrics) {
  const api = await createServer({
    log,
    metrics,
    identify: (bearer) => rooms.tokens.identify(bearer),
    rateLimits: {
      anonymousPerMinute: config.MANC_RATE_ANONYMOUS_PER_MINUTE,
      callerPerMinute: config.MANC_RATE_CALLER_PER_MINUTE,
      agentPerMinute: config.MANC_RATE_AGENT_PER_MINUTE,
      signupsPerMinute: config.MANC_SIGNUPS_PER_MINUTE,
    },
    bodyLimitBytes: config.MANC_BODY_LIMIT_BYTES,
    corsOrigins: listOf(config.MANC_CORS_ORIGINS),
    trustedProxies: listOf(config.MANC_TRUSTED_PROXIES),
  })
  serveHealth(api, engines.checks)
  await serveDocs(api)
  await serveConsole(api)
  tokenRoutes(api, rooms.tokens)
  userRoutes(api, rooms)
  agentRoutes(api, rooms.agents)
  detailsRoutes(api, rooms)
  fleetRoutes(api, rooms.fleet)
  enrolmentRoutes(api, rooms)
  appRoutes(api, rooms.apps)
  auditRoutes(api, rooms.audit)
  updateRoutes(api, rooms.updates)
  telemetryRoutes(api, rooms)
  jobRoutes(api, rooms)
  commandRoutes(api, rooms)
  emulatorRoutes(api, rooms)
  callbackRoutes(api, {
    ...rooms,
    listeners: { postEmulator: (jobNumber, items) => rooms.emulator.heard(jobNumber, items) },
  })
  socketRoutes(api, {
    ...rooms,
    origins: [new URL(config.MANC_PUBLIC_URL).origin, ...listOf(config.MANC_CORS_ORIGINS)],
    isLive: (bearer) => rooms.tokens.isLive(bearer),
  })
  return api
}
