import { prometheusOperations as operations, type PrometheusResult } from '@manc/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Caller } from '../../access.ts'
import type { BoundedBody } from '../../engines/victoria.body.ts'
import { signalOf } from '../../http/disconnection.ts'
import { serve } from '../../http/serve.ts'
import { acceptsGzip } from './encodings.format.ts'
import { withPrometheusError } from './errors.format.ts'
import type { Asking, PrometheusService } from './prometheus.service.ts'

/** The first version with selectors for labels. Clients may offer what the version has. */
const buildInfo: PrometheusResult = { status: 'success', data: { version: '2.24.0' } }
const noMetadata: PrometheusResult = { status: 'success', data: {} }

export function prometheusRoutes(api: FastifyInstance, prometheus: PrometheusService): void {
  api.register(async (app) => {
    app.addHook('preSerialization', async (_request, reply, payload) =>
      reply.statusCode < 400 ? payload : withPrometheusError(reply.statusCode, payload),
    )

    serve(app, operations.prometheusQuery, async ({ query, caller }, reply) =>
      sent(reply, await prometheus.query(query, asking(reply, caller, 'query'))),
    )
    serve(app, operations.prometheusQueryForm, async ({ body, caller }, reply) =>
      sent(reply, await prometheus.query(body, asking(reply, caller, 'body'))),
    )
    serve(app, operations.prometheusQueryRange, async ({ query, caller }, reply) =>
      sent(reply, await prometheus.queryRange(query, asking(reply, caller, 'query'))),
    )
    serve(app, operations.prometheusQueryRangeForm, async ({ body, caller }, reply) =>
      sent(reply, await prometheus.queryRange(body, asking(reply, caller, 'body'))),
    )
    serve(app, operations.prometheusSeries, async ({ query, caller }, reply) =>
      sent(reply, await prometheus.series(query, asking(reply, caller, 'query'))),
    )
    serve(app, operations.prometheusSeriesForm, async ({ body, caller }, reply) =>
      sent(reply, await prometheus.series(body, asking(reply, caller, 'body'))),
    )
    serve(app, operations.prometheusLabels, async ({ query, caller }, reply) =>
      sent(reply, await prometheus.labels(query, asking(reply, caller, 'query'))),
    )
    serve(app, operations.prometheusLabelsForm, async ({ body, caller }, reply) =>
      sent(reply, await prometheus.labels(body, asking(reply, caller, 'body'))),
    )
    serve(app, operations.prometheusLabelValues, async ({ params, query, caller }, reply) =>
      sent(reply, await prometheus.labelValues(params.label, query, asking(reply, caller, 'query'))),
    )
    serve(app, operations.prometheusBuildInfo, async () => buildInfo)
    serve(app, operations.prometheusMetadata, async () => noMetadata)
  })
}

const asking = (reply: FastifyReply, caller: Caller, part: Asking['in']): Asking => ({
  caller,
  in: part,
  signal: signalOf(reply),
  acceptsGzip: acceptsGzip(reply.request.headers['accept-encoding']),
})

/** A compressed response is passed on as it is: dashboards accept it, and it has a tenth of the bytes. */
function sent(reply: FastifyReply, body: BoundedBody): BoundedBody {
  if (body.encoding !== undefined) reply.header('content-encoding', body.encoding)
  return body
}
