import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access.ts'
import type { Config } from '../config.ts'
import { disconnected } from '../errors.ts'
import type { Limits } from '../limits.ts'
import type { Metrics } from '../metrics.ts'
import { callerKey } from './addresses.ts'
import { bodyBytes } from './bodies.ts'
import { ConcurrentRequests, type RunningRequest } from './concurrency.ts'
import { delayRefusals } from './late-refusals.ts'
import { EventLoopLoad, type ReplicaLoad } from './replica-load.ts'

declare module 'fastify' {
  interface FastifyInstance {
    requestShares: RequestShares
  }
}

interface RequestShares {
  requests: ConcurrentRequests
  maxRequests: MaxRequests
  limits: Limits
}

/** Of one caller at a time. */
export type MaxRequests = Pick<Config, 'MANC_CONCURRENT_REQUESTS' | 'MANC_USER_CONCURRENT_REQUESTS'>

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** About the CPU time of the cheapest response, with reading the request and writing the response. */
const minRequestMs = 2

/** For `inShare`: the requests of one server. Requests without a token share processing time from here on. */
export function shareRequests(
  app: FastifyInstance,
  { maxRequests, limits, metrics }: { maxRequests: MaxRequests; limits: Limits; metrics: Metrics },
  load: ReplicaLoad = measuredLoad(app),
): void {
  delayRefusals(app, load)
  metrics.gauge({
    name: 'manc_request_spare_share',
    help: 'Share of processing time for callers that use more than an equal share: 1 if the replica is not busy',
    read: () => [{ labels: {}, value: load.spare() }],
  })
  const requests = new ConcurrentRequests(maxRequests.MANC_CONCURRENT_REQUESTS, load)
  const shares = { requests, maxRequests, limits }
  app.decorate('requestShares', shares)
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.caller !== undefined || isLogin(request)) done()
    else takeTurn(request, shares, done)
  })
}

function measuredLoad(app: FastifyInstance): ReplicaLoad {
  const load = new EventLoopLoad()
  app.addHook('onClose', async () => load.close())
  return load
}

/**
 * Pages, documents, refusals and unknown paths have no handler of an operation, and cost little each. One address can send
 * hundreds a second. The turn ends at once: a slow body must not hold it.
 */
function takeTurn(
  request: FastifyRequest,
  { requests, maxRequests, limits }: RequestShares,
  done: (error?: Error) => void,
): void {
  const { key, sharesTime } = ownerOf(request)
  const limit = limitOf(undefined)
  const end = (entered: RunningRequest | 'refused') => {
    if (entered === 'refused') return done(tooMany(limits, limit))
    requests.leave(entered, minRequestMs)
    done(request.raw.socket.destroyed ? disconnected() : undefined)
  }
  const entered = requests.enter(key, { max: maxRequests[limit], bytes: 0, sharesTime })
  if (entered instanceof Promise) void entered.then(end)
  else end(entered)
}

/** A handler that runs when the share of its caller permits it. Bodies were read before: a slow upload holds no share. */
export function inShare(handle: Handler): Handler {
  return async (request, reply) => {
    const { requests, maxRequests, limits } = request.server.requestShares
    const { caller } = request
    // The subscriber role posts results for all callers.
    if (caller?.kind === 'service') return handle(request, reply)
    const { key, sharesTime } = ownerOf(request)
    const limit = limitOf(caller)
    const entered = requests.enter(key, { max: maxRequests[limit], bytes: bodyBytes(request), sharesTime })
    const running = await entered
    if (running === 'refused') throw tooMany(limits, limit)
    let result: unknown
    try {
      if (entered instanceof Promise && request.raw.socket.destroyed) throw disconnected()
      result = await handle(request, reply)
    } finally {
      // By then the response is serialized, which is work as well.
      if (!(result instanceof Readable)) setImmediate(() => requests.leave(running))
    }
    // Emitted at the end, and also when the caller has disconnected.
    if (result instanceof Readable) result.once('close', () => requests.leave(running))
    return result
  }
}

/** Many people may log in from one address, and password hashes have a queue of their own. */
const isLogin = ({ routeOptions }: FastifyRequest) => routeOptions.config.access === 'logIn'

/** Whose share the request uses. Logins have a share of their own: other requests of their address do not delay them. */
function ownerOf(request: FastifyRequest): { key: string; sharesTime: boolean } {
  const key = callerKey(request)
  if (request.caller === undefined && isLogin(request)) return { key: `login ${key}`, sharesTime: false }
  return { key, sharesTime: true }
}

const tooMany = (limits: Limits, limit: keyof MaxRequests) =>
  limits.refusal(
    limit,
    'Too many requests at a time. Wait for the responses of earlier requests before you send more.',
    1,
  )

/** Anyone may sign up, and anyone may send requests without a token. */
function limitOf(caller: Caller | undefined): keyof MaxRequests {
  const isPrivileged =
    caller !== undefined && 'id' in caller && !(caller.kind === 'user' && caller.rank === 'user')
  return isPrivileged ? 'MANC_CONCURRENT_REQUESTS' : 'MANC_USER_CONCURRENT_REQUESTS'
}
