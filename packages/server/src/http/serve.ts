import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { mediaTypeOf, type Operation } from '@manc/contract'
import { requestValidator } from '@manc/validation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Caller } from '../access.ts'
import type { Actor } from '../actor.ts'
import { invalid } from '../errors.ts'
import { addressKey } from './addresses.ts'
import { parseBody } from './bodies.ts'
import { bearerOf } from './guard.ts'
import { inShare } from './request-shares.ts'

type Part<O, Name extends string> = O extends { [N in Name]: infer S extends TSchema } ? Static<S> : undefined

/** A validated request, in the types of the contract. */
interface Request<O extends Operation> {
  params: Part<O, 'params'>
  query: Part<O, 'query'>
  body: O extends { form: TSchema } ? Part<O, 'form'> : Part<O, 'body'>
  caller: Caller
  by: Actor
  id: string
  /** The rate-limit key of the caller's address. */
  address: string
  headers: IncomingHttpHeaders
  /** The token of the request; empty without one. */
  bearer: string
  /** The body as it was sent, of operations with `bodyLimitBytes`. */
  text: string
  /** Set by the caller: a repeated request with the same key has the same result. */
  idempotencyKey: string | undefined
}

/** A string is serialised JSON; a stream is sent as it is. */
type Result<O extends Operation> = Static<O['response']> | string | Readable

type Handler<O extends Operation> = (request: Request<O>, reply: FastifyReply) => Promise<Result<O>>

interface Options {
  /** Refuses requests that depend on the body, before it is validated: 403 takes precedence over 422. */
  refuse?: (rawBody: unknown, caller: Caller) => void
}

/** Adds the route of an operation of the contract. */
export function serve<const O extends Operation>(
  app: FastifyInstance,
  operation: O,
  handler: Handler<O>,
  options: Options = {},
): void {
  const validate = requestValidator({
    ...(operation.params && { path: operation.params }),
    ...(operation.query && { query: operation.query }),
    ...(operation.body && { body: operation.body }),
    ...(operation.form && { form: operation.form }),
  })
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: {
      access: operation.id,
      ...(operation.form && { takes: 'form' }),
      ...(operation.body && { takes: 'json' }),
      ...(operation.bodyLimitBytes && { keepsText: true }),
      ...(operation.takesBasic && { takesBasic: true }),
    },
    ...(operation.bodyLimitBytes && { bodyLimit: operation.bodyLimitBytes }),
    schema: { response: { 200: operation.response } },
    handler: inShare(async (request, reply) => {
      const caller = request.caller ?? anonymous
      const rawBody = parseBody(request)
      options.refuse?.(rawBody, caller)
      const checked = validate({
        params: storable(request.params),
        query: storable(request.query),
        body: rawBody,
      })
      if (!checked.valid) throw invalid(checked.detail)
      const { path, query, body, form } = checked.value
      const result = await handler(
        {
          params: path,
          query,
          body: operation.form ? form : body,
          caller,
          by: actorOf(request),
          id: request.id,
          address: addressKey(request.ip),
          headers: request.headers,
          bearer: bearerOf(request) ?? '',
          text: request.bodyText ?? '',
          idempotencyKey: operation.idempotent && idempotencyKeyOf(request.headers),
        } as Request<O>,
        reply,
      )
      if (typeof result === 'string' || result instanceof Readable)
        reply.type(`${mediaTypeOf(operation)}; charset=utf-8`)
      return result
    }),
  })
}

const anonymous: Caller = { kind: 'anonymous' }

function actorOf(request: FastifyRequest): Actor {
  const caller = request.caller
  const name = caller && 'name' in caller ? caller.name : request.ip
  return { kind: caller?.kind ?? 'anonymous', name, requestId: request.id }
}

function idempotencyKeyOf({ 'idempotency-key': given }: IncomingHttpHeaders): string | undefined {
  if (given === undefined) return undefined
  const key = String(given)
  if (key.length >= 1 && key.length <= 255) return key
  const msg = 'String should have at least 1 and at most 255 characters'
  throw invalid([{ loc: ['header', 'idempotency-key'], msg, type: 'value_error' }])
}

/** PostgreSQL refuses U+0000. No stored name contains it, so replaced it matches nothing, as it should. */
function storable(values: unknown): unknown {
  const given = values as Record<string, unknown>
  for (const [name, value] of Object.entries(given))
    if (typeof value === 'string') {
      if (value.includes('\0')) given[name] = withoutNul(value)
    } else if (Array.isArray(value)) given[name] = value.map(withoutNul)
  return values
}

/** For texts of a body that are stored; validation refuses U+0000 in names. */
export const withoutNul = (text: string) => text.replaceAll('\0', '\ufffd')

/** The response of operations without a result. */
export const done = (detail: string) => ({ status: 'success' as const, detail })
