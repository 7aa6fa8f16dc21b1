import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import type { AgentLimitsModule } from '../agent-limits/index.ts'
import type { DisconnectionsModule } from '../disconnections/index.ts'
import type { EventsModule } from '../events/index.ts'
import type { FleetModule } from '../fleet/index.ts'
import type { JobsModule } from '../jobs/index.ts'
import type { RevocationsModule } from '../revocations/index.ts'
import type { ThrottleModule } from '../throttle/index.ts'
import { agentRoutes } from './agents.routes.ts'
import { AgentService } from './agents.service.ts'
import { AgentStore } from './agents.store.ts'
import { AllDetailsJob } from './all-details.job.ts'
import { configurationRoutes } from './configurations.routes.ts'
import { ConfigurationService } from './configurations.service.ts'
import { ConfigurationStore } from './configurations.store.ts'
import { detailsRoutes } from './details.routes.ts'
import { DetailsService } from './details.service.ts'
import { DetailsStore } from './details.store.ts'

export type AgentsModule = ReturnType<typeof createAgentsModule>

interface Uses {
  revocations: RevocationsModule
  throttle: ThrottleModule
  disconnections: DisconnectionsModule
  agentLimits: AgentLimitsModule
  events: EventsModule
  fleet: FleetModule
  jobs: JobsModule
}

export function createAgentsModule({ config, postgres, secrets }: Platform, uses: Uses) {
  const store = new AgentStore(postgres)
  const configurations = new ConfigurationService({
    store,
    configurations: new ConfigurationStore(postgres),
    fleet: uses.fleet.fleet,
    events: uses.events.events,
    versionLimits: {
      versions: config.MANC_CONFIGURATION_VERSIONS,
      bytes: config.MANC_CONFIGURATION_VERSIONS_BYTES,
    },
  })
  const agents = new AgentService({
    postgres,
    store,
    fleet: uses.fleet.fleet,
    events: uses.events.events,
    secrets,
    revocations: uses.revocations.revocations,
    disconnections: uses.disconnections.disconnections,
    passwordChanges: uses.throttle.passwordChanges,
    configurationChanges: uses.agentLimits.configurationChanges,
    configurations,
  })
  const detailsStore = new DetailsStore(postgres)
  const details = new DetailsService(detailsStore)
  const allDetails = new AllDetailsJob({ jobs: uses.jobs.jobs, store: detailsStore })
  uses.jobs.handlers.add(allDetails)
  return {
    agents,
    configurations,
    details,
    routes: (api: FastifyInstance) => {
      agentRoutes(api, agents)
      configurationRoutes(api, agents)
      detailsRoutes(api, { details, allDetails })
    },
  }
}
