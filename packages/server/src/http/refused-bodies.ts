import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Limits } from '../limits.ts'
import { callerKey } from './addresses.ts'
import { bodyBytes } from './bodies.ts'

interface Options {
  /** Of one caller, or of one address without a token. */
  bytesPerMinute: number
  limits: Limits
}

const minuteMs = 60_000
const maxCallers = 20_000
/** Smaller bodies are read with the headers. */
const smallBytes = 64 * 1024
/** Of a body without a declared length. */
const chunkedBytes = 1024 * 1024

/**
 * Limits the bodies of requests that are answered with 4xx. Node.js reads the body of a refused request to its end, which
 * costs more than the refusal. Beyond the limit the caller's connection is closed instead. The service is exempt: it posts
 * the results of all callers, and a full mailbox of one refuses them.
 */
export function limitRefusedBodies(app: FastifyInstance, { bytesPerMinute, limits }: Options): void {
  const refused = new LRUCache<string, number>({ max: maxCallers, ttl: minuteMs })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.caller?.kind === 'service') return done()
    const key = callerKey(request)
    if ((refused.get(key) ?? 0) < bytesPerMinute || declaredBytes(request) <= smallBytes) return done()
    // The rest of the body is not read.
    reply.header('connection', 'close')
    done(
      limits.refusal(
        'MANC_REFUSED_BODY_BYTES_PER_MINUTE',
        'Too many large requests of yours were refused. Correct them, and send them later.',
        Math.ceil(refused.getRemainingTTL(key) / 1000),
      ),
    )
  })
  app.addHook('onResponse', (request, reply, done) => {
    const bytes = Math.max(bodyBytes(request), declaredBytes(request))
    const isRefused = reply.statusCode >= 400 && reply.statusCode < 500
    if (isRefused && bytes > smallBytes && request.caller?.kind !== 'service') {
      const key = callerKey(request)
      refused.set(key, (refused.get(key) ?? 0) + bytes, { noUpdateTTL: true })
    }
    done()
  })
}

function declaredBytes({ headers }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return chunkedBytes
  return Number(headers['content-length'] ?? 0)
}
