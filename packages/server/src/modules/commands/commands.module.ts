import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import type { AgentsModule } from '../agents/index.ts'
import type { ClientsModule } from '../clients/index.ts'
import type { EventsModule } from '../events/index.ts'
import type { FleetModule } from '../fleet/index.ts'
import type { JobsModule } from '../jobs/index.ts'
import { BulkCommandsJob } from './bulk-commands.job.ts'
import { BulkCommandService } from './bulk-commands.service.ts'
import { CommandCancellationService } from './command-cancellation.service.ts'
import { CommandRate } from './command-rate.rules.ts'
import { CommandSetService } from './command-sets.service.ts'
import { CommandGauges, defineCommandCounter } from './commands.metrics.ts'
import { commandRoutes } from './commands.routes.ts'
import { CommandService } from './commands.service.ts'
import { CommandStore } from './commands.store.ts'
import { CommandDispatcher } from './dispatcher.consumer.ts'
import { HoldStore } from './holds.store.ts'
import { PartStore } from './parts.store.ts'
import { PendingCommands } from './pending-commands.service.ts'

export type CommandsModule = ReturnType<typeof createCommandsModule>

interface Uses {
  agents: AgentsModule
  clients: ClientsModule
  events: EventsModule
  fleet: FleetModule
  jobs: JobsModule
}

export function createCommandsModule(
  { config, log, postgres, rabbitMq, metrics, limits, load, tracing }: Platform,
  uses: Uses,
) {
  const { jobs, messages, handlers, onCancel } = uses.jobs
  const store = new CommandStore(postgres)
  const parts = new PartStore(postgres)
  const holds = new HoldStore(postgres)
  const times = {
    livesForS: config.MANC_COMMAND_SECONDS,
    deliveredWithinS: config.MANC_COMMAND_DELIVERY_SECONDS,
    resultWithinS: config.MANC_COMMAND_RESULT_SECONDS,
    holdS: config.MANC_COMMAND_HOLD_SECONDS,
  }
  const commands = new CommandService({
    postgres,
    store,
    holds,
    agents: uses.agents.agents,
    clients: uses.clients.names,
    events: uses.events.events,
    jobs,
    messages,
    times,
    rate: new CommandRate(config.MANC_COMMANDS_PER_HOUR, load),
    maxWaiting: config.MANC_WAITING_COMMANDS,
    maxResultBytes: config.MANC_COMMAND_RESULT_BYTES,
    limits,
    countChanges: defineCommandCounter(metrics),
    tracing,
  })
  const bulkCommands = new BulkCommandService({
    store: parts,
    commands,
    fleet: uses.fleet.fleet,
    jobs,
    messages,
  })
  const pendingCommands = new PendingCommands({ store, commands, log })
  handlers.add(new BulkCommandsJob(parts))
  const cancellation = new CommandCancellationService({ postgres, parts, commands, jobs })
  onCancel('send_command', (job, by) => cancellation.cancelOne(job, by))
  onCancel('send_commands', (job, by) => cancellation.cancelMany(job, by))
  return {
    commands,
    commandSets: new CommandSetService({ parts, commands, fleet: uses.fleet.fleet, jobs }),
    pendingCommands,
    routes: (api: FastifyInstance) => commandRoutes(api, { commands, bulkCommands }),
    sweep: () => holds.sweep(),
    background: {
      api: [pendingCommands],
      subscriber: [
        new CommandDispatcher({ store, commands, bulkCommands, rabbitMq, times, log, tracing }),
        new CommandGauges({ store, metrics }),
      ],
    },
  }
}
