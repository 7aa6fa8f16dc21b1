import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import type { AgentsModule } from '../agents/index.ts'
import type { CommandsModule } from '../commands/index.ts'
import type { FleetModule } from '../fleet/index.ts'
import { type IngestModule, sampleLimits } from '../ingest/index.ts'
import { AgentMessagesConsumer } from './agent-messages.consumer.ts'
import { AgentMessageService } from './agent-messages.service.ts'
import { HttpUpdateService } from './http-updates.service.ts'
import { OnboardingService } from './onboarding.service.ts'
import { SamplesPublisher } from './samples.publisher.ts'
import { updateRoutes } from './updates.routes.ts'

interface Uses {
  agents: AgentsModule
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
    samples: new SamplesPublisher({ rabbitMq, limits: sampleLimits(config) }),
    commands,
    pendingCommands,
  })
  const messages = new AgentMessageService({
    onboarding,
    attributes: uses.ingest.attributes,
    fleet: uses.fleet.fleet,
    commands,
  })
  return {
    routes: (api: FastifyInstance) => updateRoutes(api, updates),
    background: { subscriber: [new AgentMessagesConsumer({ messages, rabbitMq, log })] },
  }
}
