import { prometheusOperations as operations, type PrometheusResult } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { signalOf } from '../../http/disconnection.ts'
import { serve } from '../../http/serve.ts'
import { withPrometheusError } from './errors.format.ts'
import type { PrometheusService } from './prometheus.service.ts'

/** The first version with selectors for labels. Clients may offer what the version has. */
const buildInfo: PrometheusResult = { status: 'success', data: { version: '2.24.0' } }
const noMetadata: PrometheusResult = { status: 'success', data: {} }

export function prometheusRoutes(api: FastifyInstance, prometheus: PrometheusService): void {
  api.register(async (app) => {
    app.addHook('preSerialization', async (_request, reply, payload) =>
      reply.statusCode < 400 ? payload : withPrometheusError(reply.statusCode, payload),
    )

    serve(app, operations.prometheusQuery, async ({ query, caller }, reply) =>
      prometheus.query(query, { caller, in: 'query', signal: signalOf(reply) }),
    )
    serve(app, operations.prometheusQueryForm, async ({ body, caller }, reply) =>
      prometheus.query(body, { caller, in: 'body', signal: signalOf(reply) }),
    )
    serve(app, operations.prometheusQueryRange, async ({ query, caller }, reply) =>
      prometheus.queryRange(query, { caller, in: 'query', signal: signalOf(reply) }),
    )
    serve(app, operations.prometheusQueryRangeForm, async ({ body, caller }, reply) =>
      prometheus.queryRange(body, { caller, in: 'body', signal: signalOf(reply) }),
    )
    serve(app, operations.prometheusSeries, async ({ query, caller }, reply) =>
      prometheus.series(query, { caller, in: 'query', signal: signalOf(reply) }),
    )
    serve(app, operations.prometheusSeriesForm, async ({ body, caller }, reply) =>
      prometheus.series(body, { caller, in: 'body', signal: signalOf(reply) }),
    )
    serve(app, operations.prometheusLabels, async ({ query, caller }, reply) =>
      prometheus.labels(query, { caller, in: 'query', signal: signalOf(reply) }),
    )
    serve(app, operations.prometheusLabelsForm, async ({ body, caller }, reply) =>
      prometheus.labels(body, { caller, in: 'body', signal: signalOf(reply) }),
    )
    serve(app, operations.prometheusLabelValues, async ({ params, query, caller }, reply) =>
      prometheus.labelValues(params.label, query, { caller, in: 'query', signal: signalOf(reply) }),
    )
    serve(app, operations.prometheusBuildInfo, async () => buildInfo)
    serve(app, operations.prometheusMetadata, async () => noMetadata)
  })
}
