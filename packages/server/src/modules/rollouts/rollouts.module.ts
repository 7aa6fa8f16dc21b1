import type { FastifyInstance } from 'fastify'
import { Loop } from '../../loop.ts'
import type { Platform } from '../../module.ts'
import type { AgentsModule } from '../agents/index.ts'
import type { FleetModule } from '../fleet/index.ts'
import { SelectionService } from './rollout-selection.service.ts'
import { RolloutWorkStore } from './rollout-work.store.ts'
import { RolloutWorker } from './rollout-worker.service.ts'
import { rolloutRoutes } from './rollouts.routes.ts'
import { RolloutService } from './rollouts.service.ts'
import { RolloutStore } from './rollouts.store.ts'

export function createRolloutsModule(
  { config, log, postgres, limits, metrics }: Platform,
  uses: { agents: AgentsModule; fleet: FleetModule },
) {
  const { configurations } = uses.agents
  const { fleet } = uses.fleet
  const store = new RolloutStore(postgres)
  const rollouts = new RolloutService({
    postgres,
    store,
    selection: new SelectionService({ fleet, configurations }),
    fleet,
    limits,
    maxInProgress: config.MANC_ROLLOUTS,
  })
  const worker = new RolloutWorker({
    postgres,
    store: new RolloutWorkStore(postgres),
    configurations,
    fleet,
    countAgents: metrics.counter({
      name: 'manc_rollout_agents_total',
      help: 'Agents of rollouts that were changed, undone or skipped, needed no change or failed, by outcome',
      labels: ['outcome'],
    }),
  })
  return {
    routes: (api: FastifyInstance) => rolloutRoutes(api, rollouts),
    background: {
      subscriber: [
        new Loop({
          name: 'rolling out configurations',
          intervalMs: 1000,
          log,
          run: (signal) => worker.run(signal),
        }),
      ],
    },
    sweep: () => store.deleteOld({ days: config.MANC_ROLLOUT_DAYS, perOwner: config.MANC_ROLLOUTS_KEPT }),
  }
}
