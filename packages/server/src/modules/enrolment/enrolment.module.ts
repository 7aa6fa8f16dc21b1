import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import type { AgentsModule } from '../agents/index.ts'
import { enrolmentRoutes } from './enrolment.routes.ts'
import { EnrolmentService } from './enrolment.service.ts'
import { EnrolmentStore } from './enrolment.store.ts'

export type EnrolmentModule = ReturnType<typeof createEnrolmentModule>

export function createEnrolmentModule(
  { postgres, secrets }: Platform,
  { agents: { agents } }: { agents: AgentsModule },
) {
  const enrolment = new EnrolmentService({ postgres, store: new EnrolmentStore(postgres), agents, secrets })
  return {
    enrolment,
    routes: (api: FastifyInstance) => enrolmentRoutes(api, { agents, enrolment }),
    sweep: () => enrolment.sweep(),
    dataKeyUses: [{ name: 'enrolment tokens of version 1.0', countByKey: () => enrolment.countByKey() }],
  }
}
