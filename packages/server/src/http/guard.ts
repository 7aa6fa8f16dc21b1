import { bearerInProtocols, type Operation, operations } from '@manc/contract'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { type AccessId, access, type Caller, mayCall, type Target } from '../access.ts'
import { forbidden, Refused } from '../errors.ts'
import { addressKey, callerKey } from './addresses.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Entry of the access table. */
    access?: string
    /** The type of its body; the body of any other request is ignored. */
    takes?: 'json' | 'form'
    /** Whether the handler needs the text of the body besides the parsed value. */
    keepsText?: boolean
    /** Whether apps may send their name and key [RFC 7617] instead of a token. */
    takesBasic?: boolean
  }
  interface FastifyRequest {
    caller: Caller | undefined
    /** The body as it was sent, of operations with `keepsText`. */
    bodyText: string | undefined
    /** Why the bearer token was refused; thrown after rate limits have been applied. */
    refusal: unknown
  }
}

export type Identify = (bearer: string) => Caller | Promise<Caller>

interface BasicCredentials {
  name: string
  secret: string
  /** Of the request. */
  address: string
}

/** Identifies apps by their name and key. */
export interface IdentifyBasic {
  /** The app, if this replica has verified the credentials from this address. */
  known(credentials: BasicCredentials): Caller | undefined
  /** Rejects with the refusal. */
  verify(credentials: BasicCredentials): Promise<Caller>
}

/** Identifies the caller. Refusals are thrown later, so that rate limits count refused requests as well. */
export function identifyCallers(app: FastifyInstance, identify: Identify): void {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('refusal', undefined)
  app.decorateRequest('bodyText', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    const bearer = bearerOf(request)
    if (bearer === undefined || isOneTime(bearer) || isOpen(request)) done()
    else identifyWith(identify, bearer, request, done)
  })
}

/** Credentials that were verified before identify the caller before rate limits, all others after them: they cost a hash. */
export function identifyKnownApps(app: FastifyInstance, basic: IdentifyBasic): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const credentials = basicOf(request)
    if (credentials) request.caller = basic.known(credentials)
    done()
  })
}

export function identifyOtherApps(app: FastifyInstance, basic: IdentifyBasic): void {
  app.addHook('onRequest', async (request) => {
    const credentials = request.caller ? undefined : basicOf(request)
    if (!credentials) return
    try {
      request.caller = await basic.verify(credentials)
    } catch (error) {
      // Without a caller the guard refuses the request, with the same response for every wrong credential.
      if (!(error instanceof Refused) || error.kind !== 'unauthenticated') request.refusal = error
    }
  })
}

/** Setup and enrolment tokens are looked up in the database, so only after rate limits have been applied. */
export function identifyOneTimeTokens(app: FastifyInstance, identify: Identify): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const bearer = bearerOf(request)
    if (bearer === undefined || !isOneTime(bearer) || isOpen(request)) done()
    else identifyWith(identify, bearer, request, done)
  })
}

/** Access tokens (JWT) contain dots; one-time tokens do not. */
const isOneTime = (bearer: string) => !bearer.includes('.')

function identifyWith(identify: Identify, bearer: string, request: FastifyRequest, done: () => void): void {
  const known = (caller: Caller) => {
    request.caller = caller
    done()
  }
  const refused = (error: unknown) => {
    request.refusal = error
    done()
  }
  let found: Caller | Promise<Caller>
  try {
    found = identify(bearer)
  } catch (error) {
    return refused(error)
  }
  if (found instanceof Promise) found.then(known, refused)
  else known(found)
}

/** Fails the start when a route, including one of a plugin, is missing from the access table. */
export function guardStart(app: FastifyInstance): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    // The CORS plugin adds the route for preflight requests without a config.
    if (route.method === 'OPTIONS' && route.url === '*')
      route.config = { ...route.config, access: 'preflight' }
    routes.push(route)
  })
  app.addHook('onReady', async () => {
    for (const { config, method, url } of routes)
      if (!config?.access || !(config.access in access))
        throw new Error(`${String(method)} ${url} is not in the access table: give it an entry in access.ts.`)
  })
}

/** Calls `done` when the owner's request may be answered. */
type TakeTurn = (request: FastifyRequest, owner: string, done: (error?: Error) => void) => void

/** Enforces the access table, before the body is read. */
export function guardRoutes(app: FastifyInstance, takeTurn: TakeTurn): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || isOpen(request)) return done()
    if (request.refusal) return done(request.refusal as Error)
    if (!request.caller) return done(new Refused('unauthenticated', 'Not authenticated'))
    const id = request.routeOptions.config.access as AccessId
    if (mayCall(id, request.caller, targetOf(id, request))) done()
    else takeTurn(request, callerKey(request), (error) => done(error ?? forbidden()))
  })
}

/** Operations that name agents in the query: the parameter, and whether it is a list. */
const agentInQuery = new Map<string, { name: string; isList: boolean }>(
  Object.values<Operation>(operations).flatMap(({ id, query }) =>
    ['agent', 'agent_id'].flatMap((name) => {
      const schema = query?.properties[name]
      return schema ? [[id, { name, isList: 'items' in schema }] as const] : []
    }),
  ),
)

function targetOf(id: AccessId, { params, query }: FastifyRequest): Target {
  const inQuery = agentInQuery.get(id)
  if (inQuery === undefined) return params as Target
  const given = (query as Record<string, string | string[] | undefined>)[inQuery.name]
  if (given === undefined) return {}
  // Of a repeated parameter the last value counts, as in validation.
  return { ap_id: Array.isArray(given) && !inQuery.isList ? (given.at(-1) ?? '') : given }
}

/** Whether the access table permits it to anyone. */
export function isOpen(request: FastifyRequest): boolean {
  const id = request.routeOptions.config.access as AccessId | undefined
  return id !== undefined && access[id].includes('anyone')
}

/** Longer than the name and the key of any app. */
const maxBasicLength = 2048

function basicOf(request: FastifyRequest): BasicCredentials | undefined {
  const { authorization } = request.headers
  if (!request.routeOptions.config.takesBasic || authorization === undefined) return undefined
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? []
  if (encoded === undefined || encoded.length > maxBasicLength) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  return { name: text.slice(0, colon), secret: text.slice(colon + 1), address: addressKey(request.ip) }
}

/** From the header. Browsers cannot set it for a WebSocket, and send the token as the subprotocol after `bearer`. */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  const { authorization, upgrade, 'sec-websocket-protocol': offered } = headers
  if (authorization !== undefined)
    return /^bearer /i.test(authorization) ? authorization.slice(7).trim() : undefined
  if (upgrade?.toLowerCase() !== 'websocket' || offered === undefined) return undefined
  return bearerInProtocols(offered)
}
