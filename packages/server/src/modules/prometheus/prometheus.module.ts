import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import { sampleLimits } from '../ingest/index.ts'
import { prometheusRoutes } from './prometheus.routes.ts'
import { PrometheusService } from './prometheus.service.ts'
import { PrometheusStore } from './prometheus.store.ts'
import { QuerySlots } from './query-slots.service.ts'

export function createPrometheusModule({ config, limits, victoria }: Platform) {
  const prometheus = new PrometheusService({
    store: new PrometheusStore(victoria.streams),
    slots: new QuerySlots({ max: config.MANC_PROMETHEUS_QUERIES, limits }),
    retentionMs: sampleLimits(config).retentionMs,
  })
  return { routes: (api: FastifyInstance) => prometheusRoutes(api, prometheus) }
}
