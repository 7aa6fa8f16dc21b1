import { Readable } from 'node:stream'
import { operations } from '@manc/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access.ts'
import type { Config } from '../config.ts'
import { disconnected } from '../errors.ts'
import type { Limits } from '../limits.ts'
import type { Metrics } from '../metrics.ts'
import type { ReplicaLoad } from '../replica-load.ts'
import { addressKey, callerKey } from './addresses.ts'
import { bodyBytes } from './bodies.ts'
import { ConcurrentRequests } from './concurrency.ts'
import { isOpen } from './guard.ts'
import { delayRefusals } from './late-refusals.ts'
import { type TurnCost, Turns } from './turns.ts'

declare module 'fastify' {
  interface FastifyInstance {
    requestShares: RequestShares
  }
}

interface RequestShares {
  requests: ConcurrentRequests
  turns: Turns
  maxRequests: MaxRequests
  limits: Limits
}

/** Of one caller at a time. */
export type MaxRequests = Pick<Config, 'MANC_CONCURRENT_REQUESTS' | 'MANC_USER_CONCURRENT_REQUESTS'>

export interface ShareOptions {
  maxRequests: MaxRequests
  limits: Limits
  load: ReplicaLoad
  metrics: Metrics
}

/**
 * Of a request that no operation processes. The cheapest one takes about 2 ms of CPU, with reading and writing. On a busy
 * replica it waits for a processor for longer than that, and the time of operations includes such waits.
 */
const turnCost = { requestMs: 5, burstMs: 300 }
/** Many people may load the console from one address. */
const consoleCost = { requestMs: 2, burstMs: 300 }
/** Many people may log in from one address, all at once in the morning. Password hashes have a queue of their own. */
const loginCost = { requestMs: 2, burstMs: 1000 }
/** A failed login costs a password hash as well, and the commits that count it. */
const failedLoginMs = 40

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * For `inShare` and `takeTurn`: the requests of one server. From here on, requests of which it is known that no operation
 * processes them take turns.
 */
export function shareRequests(
  app: FastifyInstance,
  { maxRequests, limits, load, metrics }: ShareOptions,
): void {
  delayRefusals(app, load)
  metrics.gauge({
    name: 'manc_request_spare_share',
    help: 'Share of processing time for callers that use more than an equal share: 1 if the replica is not busy',
    read: () => [{ labels: {}, value: load.spare() }],
  })
  const requests = new ConcurrentRequests(maxRequests.MANC_CONCURRENT_REQUESTS, load)
  const turns = new Turns(load, () => requests.timeShareOfOther)
  app.decorate('requestShares', { requests, turns, maxRequests, limits })
  app.addHook('onRequest', (request, _reply, done) => {
    const owner = ownerOfTurn(request)
    if (owner === undefined) done()
    else takeTurn(request, owner, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (isLogin(request) && reply.statusCode === 401) turns.charge(loginOwner(request), failedLoginMs)
    done()
  })
}

/** Undefined: an operation processes it, if the caller has the permission. */
function ownerOfTurn(request: FastifyRequest): string | undefined {
  const { caller, is404, ip } = request
  if (caller?.kind === 'service') return undefined
  if (is404) return callerKey(request)
  if (caller) return undefined
  const { access } = request.routeOptions.config
  // A flood that a proxy passes on does not delay the health checks of the proxy itself.
  if (access === 'health') return `health ${request.socket.remoteAddress} ${addressKey(ip)}`
  if (isLogin(request)) return loginOwner(request)
  return access !== undefined && access in operations && isOpen(request) ? undefined : addressKey(ip)
}

/** `done` is called when the owner's share of the processing time permits a response, with an error if too many wait. */
export function takeTurn(request: FastifyRequest, owner: string, done: (error?: Error) => void): void {
  const { turns, limits } = request.server.requestShares
  const waitMs = turns.take(owner, costOf(request))
  if (waitMs === undefined) done(tooMany(limits, limitOf(request.caller)))
  else if (waitMs === 0) done()
  else setTimeout(() => done(request.raw.socket.destroyed ? disconnected() : undefined), waitMs)
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

function costOf(request: FastifyRequest): TurnCost {
  if (isLogin(request)) return loginCost
  return request.routeOptions.config.access === 'console' ? consoleCost : turnCost
}

const loginOwner = ({ ip }: FastifyRequest) => `login ${addressKey(ip)}`

const isLogin = ({ routeOptions }: FastifyRequest) => routeOptions.config.access === 'logIn'

/**
 * Whose share the request uses. Logins share no time: many people may log in from one address, and password hashes have a
 * queue of their own.
 */
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
