import { requestValidator } from '@manc/validation'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import type { AccessId, Caller } from '../../access.ts'
import { invalid } from '../../errors.ts'
import { bearerOf } from '../../http/guard.ts'
import { checkOrigin } from './sockets.routes.ts'
import type { SocketService, StreamRequest } from './sockets.service.ts'

export interface Stream {
  path: string
  access: AccessId
  query: TObject
  /** `query` is valid. */
  open: (request: StreamRequest, query: unknown) => void
}

interface Options {
  sockets: SocketService
  /** Origins whose pages may connect. */
  origins: readonly string[]
  /** Whether a token is still valid. */
  isLive: (bearer: string) => Promise<boolean>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the stream that is requested. */
    streamQuery: unknown
  }
}

export function streamRoutes(app: FastifyInstance, stream: Stream, options: Options): void {
  const { sockets, origins, isLive } = options
  const validate = requestValidator({ query: stream.query })
  app.route({
    method: 'GET',
    url: stream.path,
    config: { access: stream.access },
    // Errors are HTTP responses, so that all checks come before the upgrade.
    preValidation: async (request) => {
      checkOrigin(request, origins)
      const checked = validate({ params: {}, query: request.query, body: undefined })
      if (!checked.valid) throw invalid(checked.detail)
      request.streamQuery = checked.value.query
      // Last, so that no other request comes in between.
      const refusal = sockets.streamRefusal(request.caller as Caller)
      if (refusal) throw refusal
    },
    handler: async (_request, reply) =>
      reply.code(426).header('upgrade', 'websocket').send({ detail: 'Connect with a WebSocket.' }),
    wsHandler: (socket, request: FastifyRequest) => {
      const bearer = bearerOf(request) ?? ''
      const caller = request.caller as Caller
      stream.open({ socket, caller, isAuthorised: () => isLive(bearer) }, request.streamQuery)
    },
  })
}
