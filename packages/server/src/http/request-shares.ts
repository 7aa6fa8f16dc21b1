import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access.ts'
import { Refused } from '../errors.ts'
import type { Limits } from '../limits.ts'
import { addressKey } from './addresses.ts'
import { bodyBytes } from './bodies.ts'
import { ConcurrentRequests } from './concurrency.ts'

declare module 'fastify' {
  interface FastifyInstance {
    requestShares: RequestShares
  }
}

interface RequestShares {
  requests: ConcurrentRequests
  max: number
  limits: Limits
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** For `inShare`: the requests of one server. */
export function shareRequests(app: FastifyInstance, max: number, limits: Limits): void {
  app.decorate('requestShares', { requests: new ConcurrentRequests(max), max, limits })
}

/** A handler that runs when the share of its caller permits it. Bodies were read before: a slow upload holds no share. */
export function inShare(handle: Handler): Handler {
  return async (request, reply) => {
    const { requests, max, limits } = request.server.requestShares
    const { caller } = request
    // The subscriber role posts results for all callers.
    if (caller?.kind === 'service') return handle(request, reply)
    const key = caller && 'id' in caller ? caller.id : addressKey(request.ip)
    const entered = requests.enter(key, maxOf(caller, max), bodyBytes(request))
    if (entered === 'refused')
      throw limits.refusal(
        'MANC_CONCURRENT_REQUESTS',
        'Too many requests at a time. Wait for the responses of earlier requests before you send more.',
        1,
      )
    if (entered) await entered
    let result: unknown
    try {
      if (entered && request.raw.socket.destroyed) throw disconnected()
      result = await handle(request, reply)
    } finally {
      if (!(result instanceof Readable)) requests.leave(key)
    }
    // Emitted at the end, and also when the caller has disconnected.
    if (result instanceof Readable) result.once('close', () => requests.leave(key))
    return result
  }
}

/** The response is never sent: the work is not done for it. */
const disconnected = () => new Refused('bad-request', 'The caller has disconnected.')

/** Anyone may sign up, and anyone may send requests without a token. */
function maxOf(caller: Caller | undefined, max: number): number {
  const isPrivileged =
    caller !== undefined && 'id' in caller && !(caller.kind === 'user' && caller.rank === 'user')
  return isPrivileged ? max : Math.max(1, Math.floor(max / 8))
}
