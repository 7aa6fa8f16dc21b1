import type { FastifyInstance } from 'fastify'
import { readAmqpUrl } from '../../engines/rabbitmq/index.ts'
import type { Platform } from '../../module.ts'
import type { AgentLimitsModule } from '../agent-limits/index.ts'
import type { AgentsModule } from '../agents/index.ts'
import type { FleetModule } from '../fleet/index.ts'
import { AgentAttributesService } from './agent-attributes.service.ts'
import { AgentAttributesStore } from './agent-attributes.store.ts'
import { AgentRecords } from './agent-records.loop.ts'
import { defineIngestMetrics } from './ingest.metrics.ts'
import { Ingester } from './ingester.consumer.ts'
import { RejectedSamplesService } from './rejected-samples.service.ts'
import { RejectedSamplesStore } from './rejected-samples.store.ts'
import { rejectionRoutes } from './rejections.routes.ts'
import { sampleLimits } from './sample.format.ts'
import { SampleMessageService } from './sample-messages.service.ts'

export type IngestModule = ReturnType<typeof createIngestModule>

interface Uses {
  agents: AgentsModule
  fleet: FleetModule
  agentLimits: AgentLimitsModule
}

export function createIngestModule(
  { config, log, postgres, rabbitMq, victoria, metrics, limits }: Platform,
  { agents: { agents }, fleet, agentLimits: { rates, suspensions } }: Uses,
) {
  const rejected = new RejectedSamplesService(new RejectedSamplesStore(postgres))
  const attributes = new AgentAttributesService({
    store: new AgentAttributesStore(postgres),
    rejected,
    maxBytes: config.MANC_AGENT_ATTRIBUTE_BYTES,
    limits,
  })
  const presence = fleet.createPresence({
    isCurrent: () => ingester.isCurrent,
    markOnboard: (apIds) => agents.markOnboard(apIds),
  })
  const observed = defineIngestMetrics(metrics)
  const messages = new SampleMessageService({
    rabbitMq,
    attributes,
    rejected,
    presence,
    rates,
    ownName: readAmqpUrl(config.MANC_RABBITMQ_URL).username,
    sampleLimits: sampleLimits(config),
    maxMetricNames: config.MANC_AGENT_METRIC_NAMES,
    limits,
    observed,
  })
  const ingester: Ingester = new Ingester({
    rabbitMq,
    victoria,
    messages,
    maxPendingBytes: config.MANC_INGESTER_HELD_BYTES,
    metrics,
    observed,
    log,
  })
  const records = new AgentRecords({ attributes, rejected, log })
  return {
    attributes,
    rejected,
    routes: (api: FastifyInstance) => rejectionRoutes(api, { agents, rejected, suspensions }),
    background: { ingester: [ingester, presence, records], subscriber: [records] },
    sweep: async () => {
      await attributes.sweep()
      await rejected.sweep()
    },
  }
}
