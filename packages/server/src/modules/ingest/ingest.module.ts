import type { FastifyInstance } from 'fastify'
import { readAmqpUrl } from '../../engines/rabbitmq/index.ts'
import type { Platform } from '../../module.ts'
import type { AgentLimitsModule } from '../agent-limits/index.ts'
import type { AgentsModule } from '../agents/index.ts'
import type { FleetModule } from '../fleet/index.ts'
import { AgentAttributesService } from './agent-attributes.service.ts'
import { AgentAttributesStore } from './agent-attributes.store.ts'
import { AgentRecords } from './agent-records.loop.ts'
import { gapWatch } from './gap-watch.loop.ts'
import { defineIngestMetrics } from './ingest.metrics.ts'
import { Ingester } from './ingester.consumer.ts'
import { IngesterStore } from './ingesters.store.ts'
import { MetricsGapsStore } from './metrics-gaps.store.ts'
import { QueueAssignment } from './queue-assignment.loop.ts'
import { QueueProbes } from './queue-probes.service.ts'
import { RejectedSamplesService } from './rejected-samples.service.ts'
import { RejectedSamplesStore } from './rejected-samples.store.ts'
import { rejectionRoutes } from './rejections.routes.ts'
import { sampleLimits } from './sample.format.ts'
import { SampleMessageService } from './sample-messages.service.ts'
import { StoreRepairs } from './store-repairs.loop.ts'
import { TelemetryQueueService } from './telemetry-queues.service.ts'

export type IngestModule = ReturnType<typeof createIngestModule>

interface Uses {
  agents: AgentsModule
  fleet: FleetModule
  agentLimits: AgentLimitsModule
}

export function createIngestModule(
  { config, log, postgres, rabbitMq, management, victoria, metrics, limits }: Platform,
  { agents: { agents }, fleet, agentLimits: { rates, suspensions } }: Uses,
) {
  const { username: ownName, vhost: virtualHost } = readAmqpUrl(config.MANC_RABBITMQ_URL)
  const store = new IngesterStore(postgres)
  const rejected = new RejectedSamplesService(new RejectedSamplesStore(postgres))
  const attributes = new AgentAttributesService({
    store: new AgentAttributesStore(postgres),
    rejected,
    maxBytes: config.MANC_AGENT_ATTRIBUTE_BYTES,
    limits,
  })
  const presence = fleet.createPresence({
    lagMs: () => assignment.lagMs,
    markOnboard: (apIds) => agents.markOnboard(apIds),
  })
  const observed = defineIngestMetrics(metrics)
  const messages = new SampleMessageService({
    rabbitMq,
    attributes,
    rejected,
    presence,
    rates,
    ownName,
    sampleLimits: sampleLimits(config),
    maxMetricNames: config.MANC_AGENT_METRIC_NAMES,
    limits,
    observed,
  })
  const gaps = new MetricsGapsStore(postgres)
  const probes = new QueueProbes({ rabbitMq, ownName, log })
  const ingester = new Ingester({
    rabbitMq,
    victoria,
    gaps,
    messages,
    probes,
    maxPendingBytes: config.MANC_INGESTER_HELD_BYTES,
    metrics,
    observed,
    log,
  })
  const { retentionMs } = sampleLimits(config)
  const repairs = new StoreRepairs({ victoria, gaps, retentionMs, metrics, log })
  const assignment: QueueAssignment = new QueueAssignment({
    store,
    isConnected: () => rabbitMq.isConnected,
    ownLagMs: () => probes.lagMs,
    assigned: (queues) => ingester.setQueues(queues),
    log,
  })
  const records = new AgentRecords({ attributes, rejected, log })
  return {
    attributes,
    rejected,
    queues: new TelemetryQueueService({ store, management, virtualHost }),
    routes: (api: FastifyInstance) => rejectionRoutes(api, { agents, rejected, suspensions }),
    background: {
      all: [gapWatch(victoria, gaps, log)],
      ingester: [ingester, assignment, presence, records],
      subscriber: [records, repairs],
    },
    sweep: async () => {
      await attributes.sweep()
      await rejected.sweep()
    },
  }
}
