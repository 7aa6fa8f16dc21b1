import { Transform } from 'node:stream'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Limits } from '../limits.ts'

interface Options {
  /** Limit for callers that may not send large bodies. */
  ordinaryBytes: number
  /** Large bodies that are processed at the same time, each of another app. */
  maxConcurrent: number
  limits: Limits
}

const retryAfterS = 1

/**
 * For routes that accept larger bodies than others: only the service and apps may send one, and apps few at the same time,
 * as a parsed body takes many times its size. One app sends one at a time: two slow ones must not keep out other apps. Bodies
 * of the service are not parsed, and a refusal would look to its worker like a full mailbox. Decided before the body is read;
 * Node.js discards the rest of a refused one.
 */
export function limitLargeBodies(
  app: FastifyInstance,
  { ordinaryBytes, maxConcurrent, limits }: Options,
): void {
  /** The request of each app that is sending one. */
  const sending = new Map<string, FastifyRequest>()
  app.addHook('preParsing', (request, reply, payload, done) => {
    // Undefined for a chunked body.
    const declared = request.headers['content-length']
    const isSmall = declared !== undefined && Number(declared) <= ordinaryBytes
    const isService = request.caller?.kind === 'service'
    if (!request.routeOptions.config.keepsText || isSmall || isService) return done(null, payload)
    const sender = appOf(request)
    if (!sender) {
      if (declared === undefined) return done(null, payload.pipe(upTo(ordinaryBytes)))
      return done(tooLarge())
    }
    if (sending.has(sender.id) || sending.size >= maxConcurrent) {
      const detail =
        'Too many large bodies at the same time. Send them one after the other, or send less at once.'
      return done(limits.refusal('MANC_LARGE_BODIES', detail, retryAfterS))
    }
    // Its client has gone while the request waited: the events that end it are over.
    const { socket } = request.raw
    if (socket.destroyed) return done(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
    sending.set(sender.id, request)
    const end = () => {
      // A connection that is kept open carries many requests.
      socket.off('close', end)
      if (sending.get(sender.id) === request) sending.delete(sender.id)
    }
    reply.raw.once('close', end)
    socket.once('close', end)
    done(null, payload)
  })
}

/** The access table has let no app pass without the scope. */
const appOf = ({ caller }: FastifyRequest) => (caller?.kind === 'third_party_app' ? caller : undefined)

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
