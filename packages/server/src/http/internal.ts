import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { type EngineCheck, serveHealth } from './health.ts'
import type { Metrics } from './metrics.ts'

/** The listener for the machines around us: never to be reached by the public. */
export function createInternalServer(parts: {
  log: Logger
  metrics: Metrics
  checks: readonly EngineCheck[]
}): FastifyInstance {
  const app = Fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  }) as unknown as FastifyInstance
  serveHealth(app, parts.checks)
  app.get('/metrics', async (_request, reply) =>
    reply.type(parts.metrics.registry.contentType).send(await parts.metrics.registry.metrics()),
  )
  return app
}
