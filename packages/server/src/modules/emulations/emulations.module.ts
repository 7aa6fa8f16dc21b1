import type { FastifyInstance } from 'fastify'
import { Loop } from '../../loop.ts'
import type { Platform } from '../../module.ts'
import type { AgentsModule } from '../agents/index.ts'
import type { EventsModule } from '../events/index.ts'
import type { JobsModule } from '../jobs/index.ts'
import { CompletionService } from './completion.service.ts'
import { emulationRoutes } from './emulations.routes.ts'
import { EmulationStore } from './emulations.store.ts'
import { LeaseService } from './leases.service.ts'
import { PartReportService } from './part-reports.service.ts'
import { PartPublisher } from './parts.publisher.ts'
import { PasswordKeyService } from './password-keys.service.ts'
import { PhaseService } from './phases.service.ts'
import { PhaseStore } from './phases.store.ts'
import { QuotaService } from './quotas.service.ts'
import { QuotaStore } from './quotas.store.ts'
import { RemovalService } from './removal.service.ts'
import { SpinUpService } from './spin-up.service.ts'
import { StopService } from './stop.service.ts'

interface Uses {
  agents: AgentsModule
  events: EventsModule
  jobs: JobsModule
}

export function createEmulationsModule(
  { config, log, postgres, rabbitMq, secrets, limits }: Platform,
  uses: Uses,
) {
  const { jobs, messages, outbox, onCallback, onCancel } = uses.jobs
  const { agents } = uses.agents
  const { events } = uses.events
  const store = new EmulationStore(postgres)
  const removeAfterS = config.MANC_EMULATED_KEEP_SECONDS
  const quotas = new QuotaService({ store: new QuotaStore(postgres), limits, config })
  const phases = new PhaseService({ postgres, store: new PhaseStore(), events })
  const spinUps = new SpinUpService({
    store,
    phases,
    agents,
    events,
    jobs,
    secrets,
    quotas,
    removeAfterS,
  })
  const stops = new StopService({ postgres, store, jobs })
  const publisher = new PartPublisher({ store, rabbitMq, secrets })
  const reports = new PartReportService({ store, jobs })
  const leases = new LeaseService({ store, publisher, waitS: config.MANC_EMULATOR_WAIT_SECONDS, log })
  const completion = new CompletionService({ postgres, events, store, messages, removeAfterS, log })
  const removal = new RemovalService({ store, agents })
  outbox.setMessageBuilder('emulator_spinup', (jobNumber) => publisher.messagesOf(jobNumber))
  onCallback('postEmulator', (jobNumber, items) => reports.handleReports(jobNumber, items))
  onCancel('emulator_spinup', async ({ jobNumber }, by) => {
    await stops.cancel(jobNumber, by)
    return 'The emulation is stopped. Its agents are removed within a minute.'
  })
  return {
    routes: (api: FastifyInstance) => emulationRoutes(api, { spinUps, stops }),
    background: {
      subscriber: [
        new Loop({
          name: 'monitoring emulations',
          intervalMs: 1000,
          log,
          run: async () => {
            await stops.stopOfDeletedOwners()
            await leases.expire()
            await phases.announceDue()
            await completion.completeEnded()
          },
        }),
        // Separate, since it takes a while for many agents.
        new Loop({
          name: 'removing emulations',
          intervalMs: 1000,
          log,
          run: () => removal.removeDue(),
        }),
      ],
    },
    sweep: () => quotas.sweep(),
    dataKeyUses: [new PasswordKeyService({ store, secrets })],
  }
}
