import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { type AccessId, access, type Caller, mayCall, type Target } from '../access.ts'
import { forbidden, Refused } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Entry of the access table. */
    access?: string
    /** What its body is; a body that no operation asked for is not looked at. */
    takes?: 'json' | 'form'
  }
  interface FastifyRequest {
    caller: Caller | undefined
    /** Why the bearer is no good; thrown after rate limits have been applied. */
    refusal: unknown
  }
}

export type Identify = (bearer: string) => Caller | Promise<Caller>

/** Finds out who calls. Refuses nobody yet, so that rate limits count the refused as well. */
export function identifyCallers(app: FastifyInstance, identify: Identify): void {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('refusal', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    const bearer = bearerOf(request)
    if (bearer === undefined || isOpen(request)) return done()
    let found: Caller | Promise<Caller>
    try {
      found = identify(bearer)
    } catch (error) {
      request.refusal = error
      return done()
    }
    if (!(found instanceof Promise)) {
      request.caller = found
      return done()
    }
    found.then(
      (caller) => {
        request.caller = caller
        done()
      },
      (error: unknown) => {
        request.refusal = error
        done()
      },
    )
  })
}

/** Lets a request pass that the access table allows: before its body is read. */
export function guardRoutes(app: FastifyInstance): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    routes.push(route)
  })
  app.addHook('onReady', async () => {
    for (const { config, method, url } of routes)
      if (!config?.access || !(config.access in access))
        throw new Error(`${String(method)} ${url} is not in the access table: give it an entry in access.ts.`)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const id = request.routeOptions.config.access as AccessId | undefined
    if (id === undefined || isOpen(request)) return done()
    if (request.refusal) return done(request.refusal as Error)
    if (!request.caller) return done(new Refused('unauthenticated', 'Not authenticated'))
    done(mayCall(id, request.caller, request.params as Target) ? undefined : forbidden())
  })
}

function isOpen(request: FastifyRequest): boolean {
  const id = request.routeOptions.config.access as AccessId | undefined
  return id !== undefined && access[id].includes('anyone')
}

function bearerOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  return header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : undefined
}
