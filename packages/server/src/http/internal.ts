import Fastify, { type FastifyInstance } from 'fastify'
import { type EngineCheck, serveHealth } from './health.ts'
import type { Metrics } from './metrics.ts'

/** The listener for operators and the broker. It must not be reachable by the public. */
export function createInternalServer(options: {
  metrics: Metrics
  checks: readonly EngineCheck[]
  /** Further routes, by the roles of the process. */
  routes: readonly ((app: FastifyInstance) => void)[]
}): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, requestTimeout: 30_000 })
  serveHealth(app, options.checks)
  app.get('/metrics', async (_request, reply) =>
    reply.type(options.metrics.registry.contentType).send(await options.metrics.registry.metrics()),
  )
  for (const serve of options.routes) serve(app)
  return app
}
