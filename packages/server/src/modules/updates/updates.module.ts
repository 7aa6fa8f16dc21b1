import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import type { AgentsModule } from '../agents/index.ts'
import type { CommandsModule } from '../commands/index.ts'
import type { FleetModule } from '../fleet/index.ts'
import { type IngestModule, sampleLimits } from '../ingest/index.ts'
import { UpdateConsumer } from './updates.consumer.ts'
import { updateRoutes } from './updates.routes.ts'
import { UpdateService } from './updates.service.ts'

interface Uses {
  agents: AgentsModule
  commands: CommandsModule
  fleet: FleetModule
  ingest: IngestModule
}

export function createUpdatesModule({ config, log, postgres, rabbitMq }: Platform, uses: Uses) {
  const updates = new UpdateService({
    postgres,
    agents: uses.agents.agents,
    rabbitMq,
    limits: sampleLimits(config),
    attributes: uses.ingest.attributes,
    fleet: uses.fleet.fleet,
    commands: uses.commands.commands,
    desk: uses.commands.desk,
  })
  return {
    routes: (api: FastifyInstance) => updateRoutes(api, updates),
    background: { subscriber: [new UpdateConsumer({ updates, rabbitMq, log })] },
  }
}
