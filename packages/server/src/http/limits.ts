import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tooMany } from '../errors.ts'
import { addressKey } from './addresses.ts'

export interface RateLimits {
  anonymousPerMinute: number
  callerPerMinute: number
  agentPerMinute: number
  signupsPerMinute: number
}

const maxTrackedCallers = 50_000

/** Limits requests per minute by caller, or by address for anonymous requests. Each replica counts separately. */
export async function limitRates(app: FastifyInstance, limits: RateLimits): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    cache: maxTrackedCallers,
    timeWindow: 60_000,
    keyGenerator: (request) => keyOf(request),
    max: (request: FastifyRequest) => limitOf(request, limits),
    errorResponseBuilder: (_request, { ttl }) =>
      tooMany('Too many requests. Slow down.', Math.ceil(ttl / 1000)),
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
  })
  app.addHook('onRequest', app.rateLimit())
}

function keyOf(request: FastifyRequest): string {
  const { caller } = request
  if (request.routeOptions.config.access === 'signUp') return `signup ${addressKey(request.ip)}`
  return caller && 'id' in caller ? caller.id : addressKey(request.ip)
}

function limitOf(request: FastifyRequest, limits: RateLimits): number {
  if (request.routeOptions.config.access === 'signUp') return limits.signupsPerMinute
  if (!request.caller) return limits.anonymousPerMinute
  // The subscriber role posts results of requests that were counted already.
  if (request.caller.kind === 'service') return Number.MAX_SAFE_INTEGER
  return request.caller.kind === 'agent' ? limits.agentPerMinute : limits.callerPerMinute
}
