import type { FastifyInstance } from 'fastify'
import { Loop } from '../../loop.ts'
import type { Platform } from '../../module.ts'
import type { AgentsModule } from '../agents/index.ts'
import type { JobsModule } from '../jobs/index.ts'
import { emulatorRoutes } from './emulator.routes.ts'
import { EmulatorService } from './emulator.service.ts'
import { EmulatorStore } from './emulator.store.ts'

interface Uses {
  agents: AgentsModule
  jobs: JobsModule
}

export function createEmulationsModule({ config, log, postgres, rabbitMq, secrets }: Platform, uses: Uses) {
  const { jobs, outbox, onCallback } = uses.jobs
  const emulator = new EmulatorService({
    store: new EmulatorStore(postgres),
    agents: uses.agents.agents,
    jobs,
    messages: uses.jobs.messages,
    rabbitMq,
    secrets,
    limits: {
      mostRunning: config.MANC_EMULATED_AGENTS,
      waitS: config.MANC_EMULATOR_WAIT_SECONDS,
      removeAfterS: config.MANC_EMULATED_KEEP_SECONDS,
    },
    log,
  })
  outbox.setMessageBuilder('emulator_spinup', (jobNumber) => emulator.messagesOf(jobNumber))
  onCallback('postEmulator', (jobNumber, items) => emulator.heard(jobNumber, items))
  return {
    routes: (api: FastifyInstance) => emulatorRoutes(api, { emulator }),
    background: {
      subscriber: [
        new Loop({
          name: 'monitoring emulations',
          everyMs: 1000,
          log,
          round: () => emulator.look(),
        }),
      ],
    },
    sweep: () => emulator.sweep(),
  }
}
