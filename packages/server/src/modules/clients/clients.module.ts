import type { FastifyInstance } from 'fastify'
import { DatedPartitions } from '../../engines/postgres.partitions.ts'
import { Loop } from '../../loop.ts'
import type { Platform } from '../../module.ts'
import type { AgentsModule } from '../agents/index.ts'
import type { EventsModule } from '../events/index.ts'
import type { IngestModule } from '../ingest/index.ts'
import { ClientEventLimit } from './client-events.rules.ts'
import { ClientListStore } from './client-list.store.ts'
import { ClientNames } from './client-names.service.ts'
import { ClientReportService } from './client-reports.service.ts'
import { clientRoutes } from './clients.routes.ts'
import { ClientService } from './clients.service.ts'
import { ClientStore } from './clients.store.ts'
import { MeasurementRates } from './measurement-rate.rules.ts'

export type ClientsModule = ReturnType<typeof createClientsModule>

const detachIntervalMs = 2000
const gaugeKeepMs = 10_000

interface Uses {
  agents: AgentsModule
  events: EventsModule
  ingest: IngestModule
}

export function createClientsModule(
  { config, log, postgres, secrets, metrics, limits }: Platform,
  uses: Uses,
) {
  const store = new ClientStore(postgres)
  const names = new ClientNames({
    postgres,
    store,
    secrets,
    isPseudonymous: config.MANC_CLIENT_IDS === 'pseudonymous',
  })
  const clients = new ClientService({
    store,
    list: new ClientListStore(postgres),
    partitions: new DatedPartitions(postgres, {
      table: 'client_history',
      column: 'recorded_at',
      partitionS: 86_400,
      deleteOther: (keepS, max) => store.deleteOther(keepS, max),
    }),
    retentionDays: config.MANC_CLIENT_DAYS,
  })
  const reports = new ClientReportService({
    postgres,
    store,
    names,
    events: uses.events.events,
    eventLimit: new ClientEventLimit(config.MANC_CLIENT_EVENTS_PER_MINUTE),
    limits,
    maxClients: config.MANC_AGENT_CLIENTS,
    measurementRates: new MeasurementRates(config.MANC_CLIENT_MEASUREMENTS_PER_SECOND),
    reject: (apId, reason, count) => uses.ingest.rejected.record(apId, reason, count),
    countMoves: metrics.counter({
      name: 'manc_client_moves_total',
      help: 'Clients that have moved to another access point, or lost their connection, by kind',
      labels: ['kind'],
      initial: [{ kind: 'handover' }, { kind: 'roamed' }, { kind: 'dropped' }],
    }),
  })
  metrics.gauge({
    name: 'manc_clients_attached',
    help: 'Clients that are attached to an access point',
    read: async () => [{ labels: {}, value: await store.attached() }],
    keepMs: gaugeKeepMs,
  })
  const detaching = new Loop({
    name: 'detaching clients of access points that are gone',
    intervalMs: detachIntervalMs,
    log,
    run: () => reports.detachGone(),
  })
  return {
    reports,
    clients,
    names,
    routes: (api: FastifyInstance) => clientRoutes(api, { clients, agents: uses.agents.agents }),
    sweep: () => clients.sweep(),
    dataKeyUses: [names],
    background: {
      subscriber: [
        {
          // Before the first report. Without its partition a row is stored in the default one.
          start: async () => {
            await clients
              .sweep()
              .catch((error: unknown) =>
                log.warn(
                  { err: error },
                  'the partitions of the history of clients are not current; retrying',
                ),
              )
            detaching.start()
          },
          stop: () => detaching.stop(),
        },
      ],
    },
  }
}
