import Fastify, { type FastifyInstance } from 'fastify'
import { type EngineCheck, serveHealth } from './health.ts'
import type { Metrics } from './metrics.ts'

/** The listener for the machines around us: never to be reached by the public. */
export function createInternalServer(parts: {
  metrics: Metrics
  checks: readonly EngineCheck[]
  /** What else is served here, as the roles of the process have it. */
  routes: readonly ((app: FastifyInstance) => void)[]
}): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, requestTimeout: 30_000 })
  serveHealth(app, parts.checks)
  app.get('/metrics', async (_request, reply) =>
    reply.type(parts.metrics.registry.contentType).send(await parts.metrics.registry.metrics()),
  )
  for (const serve of parts.routes) serve(app)
  return app
}
