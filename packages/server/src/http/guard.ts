import { type Operation, operations } from '@manc/contract'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { type AccessId, access, type Caller, mayCall, type Target } from '../access.ts'
import { forbidden, Refused } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Entry of the access table. */
    access?: string
    /** What its body is; a body that no operation asked for is not looked at. */
    takes?: 'json' | 'form'
    /** Whether the text of its body is wanted beside what it says. */
    keepsText?: boolean
  }
  interface FastifyRequest {
    caller: Caller | undefined
    /** The body as it was sent, where the operation keeps it. */
    bodyText: string | undefined
    /** Why the bearer is no good; thrown after rate limits have been applied. */
    refusal: unknown
  }
}

export type Identify = (bearer: string) => Caller | Promise<Caller>

/** Finds out who calls. Refuses nobody yet, so that rate limits count the refused as well. */
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

/** Setup and enrolment tokens are looked up in the database: not before rate limits have had their say. */
export function identifyOneTimeTokens(app: FastifyInstance, identify: Identify): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const bearer = bearerOf(request)
    if (bearer === undefined || !isOneTime(bearer) || isOpen(request)) done()
    else identifyWith(identify, bearer, request, done)
  })
}

/** Access tokens have three parts. */
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

/** Stops the start where a route, whoever has added it, is missing from the access table. */
export function guardStart(app: FastifyInstance): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    // The answer to a browser's question before a call of another origin; the plugin gives it no name.
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

/** Lets a request pass that the access table allows: before its body is read. */
export function guardRoutes(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || isOpen(request)) return done()
    if (request.refusal) return done(request.refusal as Error)
    if (!request.caller) return done(new Refused('unauthenticated', 'Not authenticated'))
    const id = request.routeOptions.config.access as AccessId
    done(mayCall(id, request.caller, targetOf(id, request)) ? undefined : forbidden())
  })
}

/** Operations that are about agents in their query: the name that they have there, and whether there may be several. */
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
  // Of a parameter that is repeated by mistake the last one counts, as it does where it is validated and used.
  return { ap_id: Array.isArray(given) && !inQuery.isList ? (given.at(-1) ?? '') : given }
}

function isOpen(request: FastifyRequest): boolean {
  const id = request.routeOptions.config.access as AccessId | undefined
  return id !== undefined && access[id].includes('anyone')
}

/** In a header; browsers cannot set one for a WebSocket, and offer it as a subprotocol after the word `bearer`. */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  const { authorization, upgrade, 'sec-websocket-protocol': offered } = headers
  if (authorization !== undefined)
    return /^bearer /i.test(authorization) ? authorization.slice(7).trim() : undefined
  if (upgrade?.toLowerCase() !== 'websocket' || offered === undefined) return undefined
  const words = offered.split(',').map((word) => word.trim())
  const place = words.indexOf('bearer')
  return place < 0 ? undefined : words[place + 1]
}
