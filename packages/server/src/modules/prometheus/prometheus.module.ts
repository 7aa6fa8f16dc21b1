import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import { sampleLimits } from '../ingest/index.ts'
import { prometheusRoutes } from './prometheus.routes.ts'
import { PrometheusService } from './prometheus.service.ts'
import { PrometheusStore } from './prometheus.store.ts'
import { QuerySlots } from './query-slots.service.ts'

export type PrometheusModule = ReturnType<typeof createPrometheusModule>

export function createPrometheusModule({ config, limits, victoria }: Platform) {
  const slots = new QuerySlots({ max: config.MANC_PROMETHEUS_QUERIES, limits })
  const prometheus = new PrometheusService({
    store: new PrometheusStore(victoria.streams),
    slots,
    retentionMs: sampleLimits(config).retentionMs,
  })
  return {
    /** Shared by all queries of callers that may be slow. */
    slots,
    routes: (api: FastifyInstance) => prometheusRoutes(api, prometheus),
  }
}
