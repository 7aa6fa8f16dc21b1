import type { Platform } from '../../module.ts'
import type { AgentsModule } from '../agents/index.ts'
import type { FleetModule } from '../fleet/index.ts'
import { AgentAttributesService } from './agent-attributes.service.ts'
import { AgentAttributesStore } from './agent-attributes.store.ts'
import { defineIngestMetrics } from './ingest.metrics.ts'
import { Ingester } from './ingester.consumer.ts'
import { RejectedSamplesService } from './rejected-samples.service.ts'
import { RejectedSamplesStore } from './rejected-samples.store.ts'
import { sampleLimits } from './sample.format.ts'

export type IngestModule = ReturnType<typeof createIngestModule>

export function createIngestModule(
  { config, log, postgres, rabbitMq, victoria, metrics }: Platform,
  { agents: { agents }, fleet }: { agents: AgentsModule; fleet: FleetModule },
) {
  const attributes = new AgentAttributesService(new AgentAttributesStore(postgres))
  const presence = fleet.createPresence({
    isCurrent: () => ingester.isCurrent,
    markOnboard: (apIds) => agents.markOnboard(apIds),
  })
  const ingester: Ingester = new Ingester({
    rabbitMq,
    victoria,
    attributes,
    rejected: new RejectedSamplesService(new RejectedSamplesStore(postgres)),
    presence,
    limits: sampleLimits(config),
    maxPendingBytes: config.MANC_INGESTER_HELD_BYTES,
    metrics,
    observed: defineIngestMetrics(metrics),
    log,
  })
  return { attributes, background: { ingester: [ingester, presence] } }
}
