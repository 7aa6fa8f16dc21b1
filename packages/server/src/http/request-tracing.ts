import { type Operation, operations } from '@manc/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inSpan, type Span, type Tracing } from '../tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined if this request is not traced. */
    span: Span | undefined
  }
}

/** Agents send samples with it: there are too many, and each is counted by the metrics. */
const isTelemetry = ({ id }: Operation) => id === operations.sendUpdate.id

/** By id. Health checks, documents and the console are not traced. */
const traced = new Map<string | undefined, Operation>(
  Object.values<Operation>(operations).flatMap((each) => (isTelemetry(each) ? [] : [[each.id, each]])),
)

/** Starts the spans of requests, once their callers are identified. */
export function startRequestSpans(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, _reply, done) => {
    request.span = startSpan(request, tracing)
    inSpan(request.span, done)
  })
  // The events of a body that is read have the context of the connection.
  app.addHook('preValidation', (request, _reply, done) => inSpan(request.span, done))
}

/** Ends them, after the hooks that are added later: these log in the span. */
export function endRequestSpans(app: FastifyInstance): void {
  app.decorateRequest('span', undefined)
  app.addHook('onResponse', ({ span }, reply, done) => {
    inSpan(span, done)
    if (!span) return
    span.set({ 'http.response.status_code': reply.statusCode })
    if (reply.statusCode >= 500) span.fail(String(reply.statusCode))
    span.end()
  })
}

function startSpan(
  { id, caller, headers, routeOptions }: FastifyRequest,
  tracing: Tracing,
): Span | undefined {
  const operation = traced.get(routeOptions.config.access)
  if (!operation) return undefined
  const { traceparent } = headers
  return tracing.startRequest(
    {
      name: operation.id,
      kind: 'server',
      // Not the path: it contains names of users.
      attributes: {
        'http.request.method': operation.method,
        'http.route': operation.path,
        'manc.caller.kind': caller?.kind ?? 'anonymous',
        'manc.request.id': id,
      },
    },
    {
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      isInternal: caller?.kind === 'service',
    },
  )
}
