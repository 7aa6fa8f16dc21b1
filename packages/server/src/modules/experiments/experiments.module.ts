import type { FastifyInstance } from 'fastify'
import { Loop } from '../../loop.ts'
import type { Platform } from '../../module.ts'
import type { ClientsModule } from '../clients/index.ts'
import type { FleetModule } from '../fleet/index.ts'
import { ExperimentChangeStore } from './experiment-changes.store.ts'
import { ExperimentRunService, runOutcomes } from './experiment-runs.service.ts'
import { experimentRoutes } from './experiments.routes.ts'
import { ExperimentService } from './experiments.service.ts'
import { ExperimentStore } from './experiments.store.ts'
import { RunPublisher } from './runs.publisher.ts'
import { WhatIfService } from './what-if.service.ts'

const intervalMs = 1000
const readingKeptMs = 5000

export function createExperimentsModule(
  { config, log, postgres, rabbitMq, limits, metrics }: Platform,
  uses: { clients: ClientsModule; fleet: FleetModule },
) {
  const store = new ExperimentStore(postgres)
  const changes = new ExperimentChangeStore(postgres)
  const experiments = new ExperimentService({
    postgres,
    store,
    changes,
    limits,
    maxActive: config.MANC_EXPERIMENTS,
    maxKept: config.MANC_EXPERIMENTS_KEPT,
    perHour: config.MANC_EXPERIMENTS_PER_HOUR,
    maxOpenRuns: config.MANC_EXPERIMENT_RUNS_TOTAL,
    withinHours: config.MANC_EXPERIMENT_HOURS,
    retentionDays: config.MANC_EXPERIMENT_DAYS,
  })
  const countOutcome = metrics.counter({
    name: 'manc_experiment_runs_total',
    help: 'Runs of experiments, by outcome: finished, failed, repeated with the same or a different result, lease lapsed',
    labels: ['outcome'],
    initial: runOutcomes.map((outcome) => ({ outcome })),
  })
  metrics.gauge({
    name: 'manc_experiment_open_runs',
    help: 'Runs of experiments that wait for an emulator or are executed, by state',
    labels: ['state'],
    keepMs: readingKeptMs,
    read: async () => {
      const { waiting, running } = await store.openRuns()
      return [
        { labels: { state: 'waiting' }, value: waiting },
        { labels: { state: 'running' }, value: running },
      ]
    },
  })
  const runs = new ExperimentRunService({ postgres, changes, log, countOutcome })
  const whatIfs = new WhatIfService({
    experiments,
    table: uses.fleet.table,
    clients: uses.clients.clients,
  })
  const publisher = new RunPublisher({ changes, rabbitMq })
  return {
    routes: (api: FastifyInstance) => experimentRoutes(api, { experiments, runs, whatIfs }),
    background: {
      subscriber: [
        new Loop({
          name: 'offering runs of experiments',
          intervalMs,
          log,
          run: async () => {
            await runs.takeBackLapsed()
            await runs.failExpired()
            await publisher.offerWaiting()
          },
        }),
      ],
    },
    sweep: () => experiments.sweep(),
  }
}
