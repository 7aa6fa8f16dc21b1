import rateLimit from '@fastify/rate-limit'
import type { OperationId } from '@manc/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Limits } from '../limits.ts'
import { addressKey, callerKey } from './addresses.ts'

export type RateLimits = Pick<
  Config,
  | 'MANC_RATE_ANONYMOUS_PER_MINUTE'
  | 'MANC_RATE_CALLER_PER_MINUTE'
  | 'MANC_RATE_AGENT_PER_MINUTE'
  | 'MANC_SIGNUPS_PER_MINUTE'
  | 'MANC_RECOVERIES_PER_MINUTE'
>

const maxTrackedCallers = 50_000

/** Operations that anyone may call, and whose every request leaves a row: each has a limit of its own, by address. */
const ofOperations: Partial<Record<string, keyof RateLimits>> = {
  signUp: 'MANC_SIGNUPS_PER_MINUTE',
  recoverPassword: 'MANC_RECOVERIES_PER_MINUTE',
} satisfies Partial<Record<OperationId, keyof RateLimits>>

/** Limits requests per minute by caller, or by address for anonymous requests. Each replica counts separately. */
export async function limitRates(app: FastifyInstance, rates: RateLimits, limits: Limits): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    cache: maxTrackedCallers,
    timeWindow: 60_000,
    keyGenerator: (request) => keyOf(request),
    max: (request: FastifyRequest) => {
      const name = limitOf(request)
      return name === undefined ? Number.MAX_SAFE_INTEGER : rates[name]
    },
    errorResponseBuilder: (request, { ttl }) =>
      limits.refusal(
        limitOf(request) ?? 'MANC_RATE_CALLER_PER_MINUTE',
        'Too many requests. Slow down.',
        Math.ceil(ttl / 1000),
      ),
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
  const { access } = request.routeOptions.config
  if (access !== undefined && access in ofOperations) return `${access} ${addressKey(request.ip)}`
  return callerKey(request)
}

/** The setting with the limit of this request; undefined if it has none. */
function limitOf({ routeOptions, caller }: FastifyRequest): keyof RateLimits | undefined {
  const ofOperation = ofOperations[routeOptions.config.access ?? '']
  if (ofOperation) return ofOperation
  if (!caller) return 'MANC_RATE_ANONYMOUS_PER_MINUTE'
  // The subscriber role posts results of requests that were counted already.
  if (caller.kind === 'service') return undefined
  return caller.kind === 'agent' ? 'MANC_RATE_AGENT_PER_MINUTE' : 'MANC_RATE_CALLER_PER_MINUTE'
}
