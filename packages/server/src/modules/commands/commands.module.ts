import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import type { AgentsModule } from '../agents/index.ts'
import type { FleetModule } from '../fleet/index.ts'
import type { JobsModule } from '../jobs/index.ts'
import { CommandToMany } from './command-to-many.ts'
import { commandRoutes } from './commands.routes.ts'
import { CommandService } from './commands.service.ts'
import { CommandStore } from './commands.store.ts'
import { CommandDesk } from './desk.ts'
import { Dispatcher } from './dispatcher.ts'
import { HoldStore } from './holds.store.ts'
import { PartStore } from './parts.store.ts'

export type CommandsModule = ReturnType<typeof createCommandsModule>

interface Uses {
  agents: AgentsModule
  fleet: FleetModule
  jobs: JobsModule
}

export function createCommandsModule({ config, log, postgres, rabbitMq }: Platform, uses: Uses) {
  const { jobs, messages, handlers } = uses.jobs
  const store = new CommandStore(postgres)
  const parts = new PartStore(postgres)
  const times = {
    livesForS: config.MANC_COMMAND_SECONDS,
    deliveredWithinS: config.MANC_COMMAND_DELIVERY_SECONDS,
    resultWithinS: config.MANC_COMMAND_RESULT_SECONDS,
    holdS: config.MANC_COMMAND_HOLD_SECONDS,
  }
  const commands = new CommandService({
    postgres,
    store,
    holds: new HoldStore(),
    parts,
    agents: uses.agents.agents,
    jobs,
    messages,
    times,
  })
  const commandToMany = new CommandToMany({ store: parts, commands, fleet: uses.fleet.fleet, jobs })
  const desk = new CommandDesk({ store, commands, log })
  handlers.add(commandToMany)
  return {
    commands,
    desk,
    routes: (api: FastifyInstance) => commandRoutes(api, { commands, commandToMany }),
    background: {
      api: [desk],
      subscriber: [new Dispatcher({ store, commands, rabbitMq, times, log })],
    },
  }
}
