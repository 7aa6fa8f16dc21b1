import { clientsQueue, onboardingQueue, resultsQueue, updatesQueue } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Postgres } from '../../engines/postgres.ts'
import { readAmqpUrl } from '../../engines/rabbitmq/index.ts'
import type { Platform } from '../../module.ts'
import type { AgentLimitsModule } from '../agent-limits/index.ts'
import type { AgentsModule } from '../agents/index.ts'
import type { ClientsModule } from '../clients/index.ts'
import type { CommandsModule } from '../commands/index.ts'
import type { FleetModule } from '../fleet/index.ts'
import { type IngestModule, sampleLimits } from '../ingest/index.ts'
import { AgentMessagesConsumer } from './agent-messages.consumer.ts'
import { AgentMessageService } from './agent-messages.service.ts'
import { HttpUpdateService } from './http-updates.service.ts'
import { OnboardingService } from './onboarding.service.ts'
import { SamplesPublisher } from './samples.publisher.ts'
import { updateRoutes } from './updates.routes.ts'

/** A query of a consumer times out after 1.5 s. */
const maxPingMs = 300

interface Uses {
  agentLimits: AgentLimitsModule
  agents: AgentsModule
  clients: ClientsModule
  commands: CommandsModule
  fleet: FleetModule
  ingest: IngestModule
}

export function createUpdatesModule({ config, log, postgres, rabbitMq }: Platform, uses: Uses) {
  const { agents } = uses.agents
  const { commands, pendingCommands } = uses.commands
  const onboarding = new OnboardingService(agents)
  const updates = new HttpUpdateService({
    postgres,
    agents,
    onboarding,
    samples: new SamplesPublisher({
      rabbitMq,
      limits: sampleLimits(config),
      ownName: readAmqpUrl(config.MANC_RABBITMQ_URL).username,
    }),
    rates: uses.agentLimits.httpRates,
    commands,
    pendingCommands,
  })
  const messages = new AgentMessageService({
    onboarding,
    attributes: uses.ingest.attributes,
    fleet: uses.fleet.fleet,
    commands,
    clients: uses.clients.reports,
  })
  const consuming = {
    messages,
    rates: uses.agentLimits.rates,
    rejected: uses.ingest.rejected,
    rabbitMq,
    isDatabaseUp: () => isUp(postgres),
    log,
  }
  const results = new AgentMessagesConsumer({ ...consuming, queue: resultsQueue, isCopy: () => false })
  const onboardings = new AgentMessagesConsumer({
    ...consuming,
    queue: onboardingQueue,
    isCopy: () => false,
  })
  const clients = new AgentMessagesConsumer({ ...consuming, queue: clientsQueue, isCopy: () => false })
  const updatesConsumer = new AgentMessagesConsumer({
    ...consuming,
    queue: updatesQueue,
    // Until the next version every message is in two queues. Without the topology of this version it is only in one.
    isCopy: (topic) => (topic === 'result' ? results : onboardings).isOpen,
  })
  return {
    routes: (api: FastifyInstance) => updateRoutes(api, updates),
    background: { subscriber: [onboardings, results, clients, updatesConsumer] },
  }
}

/** Responds, and in a time that shows that it is not overloaded. */
async function isUp(postgres: Postgres): Promise<boolean> {
  const startedAt = performance.now()
  try {
    await postgres.ping()
    return performance.now() - startedAt < maxPingMs
  } catch {
    return false
  }
}
