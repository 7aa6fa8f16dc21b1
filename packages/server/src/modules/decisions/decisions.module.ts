import { decisionStates } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { Loop } from '../../loop.ts'
import type { Platform } from '../../module.ts'
import type { AppsModule } from '../apps/index.ts'
import type { CommandsModule } from '../commands/index.ts'
import type { EventsModule } from '../events/index.ts'
import { DecisionChangeStore } from './decision-changes.store.ts'
import { decisionRoutes } from './decisions.routes.ts'
import { DecisionService } from './decisions.service.ts'
import { DecisionStore } from './decisions.store.ts'
import { DueDecisionService } from './due-decisions.service.ts'
import { MeasurementStore } from './measurements.store.ts'
import { ProposalService } from './proposals.service.ts'

const intervalMs = 1000
const readingKeptMs = 5000

interface Uses {
  apps: AppsModule
  commands: CommandsModule
  events: EventsModule
}

export function createDecisionsModule(
  { config, log, postgres, victoria, limits, metrics }: Platform,
  uses: Uses,
) {
  const { events } = uses.events
  const { commands, commandSets } = uses.commands
  const store = new DecisionStore(postgres)
  const changes = new DecisionChangeStore(postgres, config.MANC_DECISION_MEASURE_SECONDS)
  const countChange = metrics.counter({
    name: 'manc_decision_changes_total',
    help: 'Decisions that changed to a state, by state',
    labels: ['state'],
    initial: decisionStates.map((state) => ({ state })),
  })
  const decisions = new DecisionService({
    postgres,
    store,
    changes,
    commandSets,
    events,
    limits,
    perHour: config.MANC_DECISIONS_PER_HOUR,
    maxOpen: config.MANC_OPEN_PROPOSALS,
    // Those of the last hour are counted by their numbers.
    kept: Math.max(config.MANC_DECISIONS_KEPT, config.MANC_DECISIONS_PER_HOUR),
    retentionDays: config.MANC_DECISION_DAYS,
    countChange,
  })
  const proposals = new ProposalService({
    postgres,
    decisions,
    changes,
    apps: uses.apps.apps,
    commandSets,
    events,
    countChange,
  })
  const measurements = new MeasurementStore(victoria.reads)
  const due = new DueDecisionService({ postgres, store, changes, measurements, events, countChange })
  // The commands themselves are deleted before the decision is.
  commands.onPartsEnded((tx, parts) => changes.setOutcomes(tx, parts))
  metrics.gauge({
    name: 'manc_decision_overdue_seconds',
    help: 'For how long the first decision that has to be measured or expired has been waiting; 0 if none is',
    keepMs: readingKeptMs,
    read: async () => [{ labels: {}, value: await store.overdueS() }],
  })
  const handling = new Loop({
    name: 'measuring and expiring decisions',
    intervalMs,
    log,
    run: async (signal) => {
      while (!signal.aborted && (await due.handleBatch()));
    },
  })
  return {
    routes: (api: FastifyInstance) => decisionRoutes(api, { decisions, proposals }),
    background: { subscriber: [handling] },
    sweep: () => decisions.sweep(),
  }
}
