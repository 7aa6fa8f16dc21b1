import { tokenOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { done, serve } from '../../http/serve.ts'
import type { TokenService } from './tokens.service.ts'

export function tokenRoutes(app: FastifyInstance, tokens: TokenService): void {
  serve(app, operations.logIn, async ({ query, body, address }, reply) => {
    // [RFC 6749, 5.1]
    reply.header('cache-control', 'no-store')
    return tokens.logIn(query.login_type, body.username, body.password, address)
  })

  serve(app, operations.renewToken, async ({ bearer }, reply) => {
    reply.header('cache-control', 'no-store')
    return tokens.renew(bearer)
  })

  serve(app, operations.endSession, async ({ bearer, by }) => {
    await tokens.endSession(bearer, by)
    return done('The session has ended. Its tokens are no longer valid.')
  })
}
