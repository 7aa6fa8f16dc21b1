import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import cors from '@fastify/cors'
import { type Operation, operations } from '@manc/contract'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Limits } from '../limits.ts'
import type { Metrics } from '../metrics.ts'
import type { ReplicaLoad } from '../replica-load.ts'
import type { Tracing } from '../tracing.ts'
import { readBodies } from './bodies.ts'
import { limitConnections } from './connections.ts'
import { answerErrors } from './errors.ts'
import {
  guardRoutes,
  guardStart,
  type Identify,
  type IdentifyBasic,
  identifyCallers,
  identifyKnownApps,
  identifyOneTimeTokens,
  identifyOtherApps,
} from './guard.ts'
import { limitLargeBodies } from './large-bodies.ts'
import { limitRates, type RateLimits } from './limits.ts'
import { limitRefusedBodies } from './refused-bodies.ts'
import { logRequests } from './request-log.ts'
import { observeRequests } from './request-metrics.ts'
import { type MaxRequests, shareRequests, takeTurn } from './request-shares.ts'
import { endRequestSpans, startRequestSpans } from './request-tracing.ts'
import { securityHeaders } from './security-headers.ts'
import { takeUpgrades } from './upgrades.ts'

export interface ServerOptions {
  log: Logger
  identify: Identify
  identifyBasic: IdentifyBasic
  metrics: Metrics
  tracing: Tracing
  rateLimits: RateLimits
  limits: Limits
  load: ReplicaLoad
  maxRequests: MaxRequests
  connectionsPerAddress: number
  bodyLimitBytes: number
  maxLargeBodies: number
  refusedBodyBytesPerMinute: number
  corsOrigins: string[]
  trustedProxies: string[]
}

/** The public HTTP server, without its routes. The order of the hooks is the order in which requests are refused. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const headers = apiHeaders()
  const app = Fastify({
    bodyLimit: options.bodyLimitBytes,
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    exposeHeadRoutes: false,
    genReqId: requestId,
    forceCloseConnections: 'idle',
    // Limit slow requests.
    requestTimeout: 30_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 3000 },
    clientErrorHandler: (error, socket) => answerMalformed(error, socket, headers),
    return503OnClosing: false,
    rewriteUrl: decodable,
    // Long names are 404, not an error of the router. Node limits the length of the request line.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 65_536 },
  })
  app.setErrorHandler(answerErrors(options.log))
  app.setNotFoundHandler(answerUnknown)
  guardStart(app)
  closeConnectionsOnStop(app)
  limitConnections(app.server, {
    maxPerAddress: options.connectionsPerAddress,
    trustedProxies: options.trustedProxies,
    limits: options.limits,
  })
  await takeUpgrades(app)
  readBodies(app)
  if (options.tracing.isOn) endRequestSpans(app)
  observeRequests(app, options.metrics)
  logRequests(app, options.log)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    done()
  })
  if (options.corsOrigins.length > 0)
    await app.register(cors, {
      origin: options.corsOrigins,
      methods: ['GET', 'POST', 'PUT', 'DELETE'],
      exposedHeaders: ['link', 'retry-after', 'x-request-id'],
      maxAge: 600,
    })
  identifyCallers(app, options.identify)
  identifyKnownApps(app, options.identifyBasic)
  if (options.tracing.isOn) startRequestSpans(app, options.tracing)
  await limitRates(app, options.rateLimits, options.limits)
  limitRefusedBodies(app, { bytesPerMinute: options.refusedBodyBytesPerMinute, limits: options.limits })
  shareRequests(app, options)
  identifyOneTimeTokens(app, options.identify)
  identifyOtherApps(app, options.identifyBasic)
  guardRoutes(app, takeTurn)
  limitLargeBodies(app, {
    ordinaryBytes: options.bodyLimitBytes,
    maxConcurrent: options.maxLargeBodies,
    limits: options.limits,
  })
  return app
}

const closeConnectionsAfterMs = 8000

/** Responses of the API are data of one caller: browsers must neither store nor render them. Pages set other headers. */
const apiHeaders = (): Record<string, string> => ({
  ...securityHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        sandbox: [],
      },
    },
  }),
  'cache-control': 'no-store',
})

/** Malformed HTTP is answered with the same headers and a JSON body as well. */
function answerMalformed(
  error: Error & { code?: string },
  socket: Socket,
  headers: Record<string, string>,
): void {
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
  const body = JSON.stringify({ detail: status.slice(4) })
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
}

/** Closes connections that were busy when the stop began as soon as they are idle. */
function closeConnectionsOnStop(app: FastifyInstance): void {
  app.addHook('preClose', (done) => {
    const timer = setInterval(() => app.server.closeIdleConnections(), 50)
    const last = setTimeout(() => app.server.closeAllConnections(), closeConnectionsAfterMs)
    app.server.once('close', () => {
      clearInterval(timer)
      clearTimeout(last)
    })
    done()
  })
}

/** Escapes a path with invalid percent-encoding, so that it is 404 instead of an error of the router. */
function decodable({ url = '/' }: { url?: string | undefined }): string {
  if (!url.includes('%')) return url
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

const validRequestId = /^[\w.:-]{1,64}$/
const idPrefix = randomUUID().slice(0, 8)
let requestCount = 0

/** The id that the caller sent, where it is valid, so that its log and this one can be correlated. */
function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && validRequestId.test(given) ? given : `${idPrefix}-${++requestCount}`
}

const known = Object.values<Operation>(operations).map(({ method, path }) => ({
  method,
  matches: new RegExp(`^${path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
}))

/** 405 with `Allow` where the path exists with another method; 404 otherwise. */
async function answerUnknown(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = request.url.split('?', 1)[0] ?? ''
  const methods = known.filter(({ matches }) => matches.test(path)).map(({ method }) => method)
  if (methods.length === 0) return reply.code(404).send({ detail: 'Not Found' })
  return reply
    .code(405)
    .header('allow', [...new Set(methods)].join(', '))
    .send({ detail: 'Method Not Allowed' })
}
