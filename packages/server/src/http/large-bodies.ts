import { Transform } from 'node:stream'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Limits } from '../limits.ts'

interface Options {
  /** Limit for callers that may not send large bodies. */
  ordinaryBytes: number
  /** Large bodies that are processed at the same time. */
  maxConcurrent: number
  limits: Limits
}

const retryAfterS = 1

/**
 * For routes that accept larger bodies than others: only the service and apps may send one, and apps few at the same time,
 * as a parsed body takes many times its size. Bodies of the service are not parsed, and a refusal would look to its worker
 * like a full mailbox. Decided before the body is read; Node.js discards the rest of a refused one.
 */
export function limitLargeBodies(
  app: FastifyInstance,
  { ordinaryBytes, maxConcurrent, limits }: Options,
): void {
  let count = 0
  app.addHook('preParsing', (request, reply, payload, done) => {
    // Undefined for a chunked body.
    const declared = request.headers['content-length']
    const isSmall = declared !== undefined && Number(declared) <= ordinaryBytes
    const isService = request.caller?.kind === 'service'
    if (!request.routeOptions.config.keepsText || isSmall || isService) return done(null, payload)
    if (!isApp(request)) {
      if (declared === undefined) return done(null, payload.pipe(upTo(ordinaryBytes)))
      return done(tooLarge())
    }
    if (count >= maxConcurrent) {
      const detail =
        'Too many large bodies at the same time. Send this one again shortly, or send less at once.'
      return done(limits.refusal('MANC_LARGE_BODIES', detail, retryAfterS))
    }
    count += 1
    reply.raw.once('close', () => {
      count -= 1
    })
    done(null, payload)
  })
}

/** The access table has let no app pass without the scope. */
const isApp = ({ caller }: FastifyRequest) => caller?.kind === 'third_party_app'

const tooLarge = () => new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()

function upTo(maxBytes: number): Transform {
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      bytes += chunk.length
      if (bytes > maxBytes) next(tooLarge())
      else next(null, chunk)
    },
  })
  // Fastify compares it with the declared length.
  return Object.defineProperty(counted, 'receivedEncodedLength', { get: () => bytes })
}
