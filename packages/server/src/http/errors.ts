import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { databaseRefusal } from '../engines/postgres.ts'
import { type RefusalKind, Refused } from '../errors.ts'

/** The only mapping of refusal kinds to HTTP statuses. */
const statuses: Record<RefusalKind, number> = {
  unauthenticated: 401,
  forbidden: 403,
  invalid: 422,
  'bad-request': 400,
  'not-found': 404,
  conflict: 409,
  'too-many': 429,
  unavailable: 503,
}

export const answerErrors =
  (log: Logger) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // The handler may have set the type of the response that it could not give.
    reply.type('application/json; charset=utf-8')
    const refused = error instanceof Refused ? error : databaseRefusal(error)
    if (refused) {
      if (refused.kind === 'unavailable')
        log.warn({ requestId: request.id, err: refused.cause ?? refused }, refused.message)
      return answerRefused(refused, reply)
    }
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
      return reply.code(413).send({ detail: 'The body is too large. Send less at once.' })
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
      return reply.code(error.statusCode).send({ detail: error.message })
    log.error({ requestId: request.id, err: error }, 'a request failed')
    return reply.code(500).send({ detail: 'Internal Server Error' })
  }

function answerRefused(refused: Refused, reply: FastifyReply): FastifyReply {
  if (refused.kind === 'unauthenticated') reply.header('www-authenticate', 'Bearer')
  if (refused.retryAfterS !== undefined) reply.header('retry-after', refused.retryAfterS)
  return reply.code(statuses[refused.kind]).send({ detail: refused.items ?? refused.message })
}
