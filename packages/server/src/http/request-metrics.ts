import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../metrics.ts'

export function observeRequests(app: FastifyInstance, metrics: Metrics): void {
  const observe = metrics.duration({
    name: 'manc_http_request_duration_seconds',
    help: 'Time from the request to the end of the response, by operation and status',
    labels: ['operation', 'status'],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.access ?? 'unknown'
    observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
}
