import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { callerKey } from './addresses.ts'

/** Of one caller. Further ones are counted by the metrics. */
const maxRefusalsPerMinute = 20
const maxCallers = 10_000

/** Logs requests: failed ones at `error`, refused ones at `info`, and all others at `debug`. */
export function logRequests(app: FastifyInstance, log: Logger): void {
  /** Anyone can cause refusals as often as the rate limits allow, so the log would grow without a bound. */
  const refusals = new LRUCache<string, number>({ max: maxCallers, ttl: 60_000, noUpdateTTL: true })
  const isLogged = (key: string): boolean => {
    const count = (refusals.get(key) ?? 0) + 1
    refusals.set(key, count)
    return count <= maxRefusalsPerMinute
  }
  const levelOf = (request: FastifyRequest, { statusCode }: FastifyReply) => {
    if (statusCode >= 500) return 'error'
    return statusCode >= 400 && isLogged(callerKey(request)) ? 'info' : 'debug'
  }
  app.addHook('onResponse', (request, reply, done) => {
    const level = levelOf(request, reply)
    if (log.isLevelEnabled(level))
      log[level](
        {
          requestId: request.id,
          operation: request.routeOptions.config.access,
          method: request.method,
          // The route, not the URL: a query string may contain secrets.
          route: request.routeOptions.url,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          caller: request.caller && 'name' in request.caller ? request.caller.name : request.caller?.kind,
          address: request.ip,
        },
        'request',
      )
    done()
  })
}
