import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Operation } from '@manc/contract'
import { requestValidator } from '@manc/validation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Caller } from '../access.ts'
import type { Actor } from '../actor.ts'
import { invalid } from '../errors.ts'
import { addressKey } from './addresses.ts'

type Part<O, Name extends string> = O extends { [N in Name]: infer S extends TSchema } ? Static<S> : undefined

/** A validated request, in the types of the contract. */
interface Request<O extends Operation> {
  params: Part<O, 'params'>
  query: Part<O, 'query'>
  body: O extends { form: TSchema } ? Part<O, 'form'> : Part<O, 'body'>
  caller: Caller
  by: Actor
  id: string
  /** For counting what comes from one place. */
  address: string
  headers: IncomingHttpHeaders
  /** The body as it was sent, of operations that keep it. */
  text: string
  /** The caller's own name for this request: sent again, it is the same. */
  idempotencyKey: string | undefined
}

/** A text is JSON that is ready to send; a stream sends itself. */
type Answer<O extends Operation> = Static<O['response']> | string | Readable

type Handler<O extends Operation> = (request: Request<O>, reply: FastifyReply) => Promise<Answer<O>>

interface Options {
  /** Refuses what the caller may not ask for, before the body is validated: 403 comes before 422. */
  refuse?: (rawBody: unknown, caller: Caller) => void
}

/** Puts a handler behind an operation of the contract. */
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
    },
    ...(operation.bodyLimitBytes && { bodyLimit: operation.bodyLimitBytes }),
    schema: { response: { 200: operation.response } },
    handler: async (request, reply) => {
      const caller = request.caller ?? anonymous
      options.refuse?.(request.body, caller)
      const checked = validate({
        params: storable(request.params),
        query: storable(request.query),
        body: request.body,
      })
      if (!checked.valid) throw invalid(checked.detail)
      const { path, query, body, form } = checked.value
      const answer = await handler(
        {
          params: path,
          query,
          body: operation.form ? form : body,
          caller,
          by: actorOf(request),
          id: request.id,
          address: addressKey(request.ip),
          headers: request.headers,
          text: request.bodyText ?? '',
          idempotencyKey: operation.idempotent && idempotencyKeyOf(request.headers),
        } as Request<O>,
        reply,
      )
      if (typeof answer === 'string' || answer instanceof Readable)
        reply.type('application/json; charset=utf-8')
      return answer
    },
  })
}

/** Stands in where an operation is open to anyone and nobody has said who they are. */
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

/** No stored name has U+0000, which PostgreSQL refuses: replaced, it finds nothing, as it should. */
function storable(values: unknown): unknown {
  const given = values as Record<string, unknown>
  for (const [name, value] of Object.entries(given))
    if (typeof value === 'string') {
      if (value.includes('\0')) given[name] = withoutNul(value)
    } else if (Array.isArray(value)) given[name] = value.map(withoutNul)
  return values
}

const withoutNul = (text: string) => text.replaceAll('\0', '\ufffd')

/** The answer of operations that have nothing to tell but that they are done. */
export const done = (detail: string) => ({ status: 'success' as const, detail })
