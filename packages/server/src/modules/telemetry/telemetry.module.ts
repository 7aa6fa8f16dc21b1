import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import type { AgentsModule } from '../agents/index.ts'
import type { FleetModule } from '../fleet/index.ts'
import { sampleLimits } from '../ingest/index.ts'
import type { JobsModule } from '../jobs/index.ts'
import type { PrometheusModule } from '../prometheus/index.ts'
import type { SocketsModule } from '../sockets/index.ts'
import { HistoryJob } from './history.job.ts'
import { LiveDataSource } from './live.source.ts'
import { ReadingsService } from './readings.service.ts'
import { ReadingsStore } from './readings.store.ts'
import { SummaryService } from './summary.service.ts'
import { SummaryStore } from './summary.store.ts'
import { telemetryRoutes } from './telemetry.routes.ts'

interface Uses {
  agents: AgentsModule
  fleet: FleetModule
  jobs: JobsModule
  prometheus: PrometheusModule
  sockets: SocketsModule
}

export function createTelemetryModule({ config, rabbitMq, victoria, metrics }: Platform, uses: Uses) {
  const { jobs, handlers } = uses.jobs
  const limits = sampleLimits(config)
  const store = new ReadingsStore(victoria.reads)
  const readings = new ReadingsService({
    store,
    agents: uses.agents.details,
    countLookup: metrics.cache('readings'),
    countPeriodLookup: metrics.cache('periods'),
  })
  const summary = new SummaryService({
    store: new SummaryStore(victoria.streams),
    fleet: uses.fleet.fleet,
    slots: uses.prometheus.slots,
    retentionMs: limits.retentionMs,
    countLookup: metrics.cache('summaries'),
  })
  const history = new HistoryJob({ jobs, readings, store, retentionMs: limits.retentionMs })
  const live = new LiveDataSource({ jobs, readings, rabbitMq, limits })
  handlers.add(history)
  uses.sockets.sockets.addLiveSource(live)
  return {
    routes: (api: FastifyInstance) =>
      telemetryRoutes(api, { readings, summary, history, live, retentionMs: limits.retentionMs }),
  }
}
