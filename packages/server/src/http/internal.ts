import Fastify, { type FastifyInstance } from 'fastify'
import type { Metrics } from '../metrics.ts'
import { isSameSecret } from '../secrets.ts'
import { type Health, serveHealth } from './health.ts'

/** The listener for operators and the broker. It must not be reachable by the public. */
export function createInternalServer(options: {
  metrics: Metrics
  /** Required as bearer token for the metrics, if it is set. */
  metricsToken: string | undefined
  health: Health
  /** Further routes, by the roles of the process. */
  routes: readonly ((app: FastifyInstance) => void)[]
}): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, requestTimeout: 30_000 })
  serveHealth(app, options.health)
  serveMetrics(app, options.metrics, options.metricsToken)
  for (const serve of options.routes) serve(app)
  return app
}

function serveMetrics(app: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  app.get('/metrics', async (request, reply) => {
    const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (token !== undefined && !isSameSecret(given, token))
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer')
        .type('text/plain')
        .send('Send the value of MANC_METRICS_TOKEN as bearer token.\n')
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}
