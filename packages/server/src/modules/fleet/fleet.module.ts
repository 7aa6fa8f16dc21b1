import { healthDefaults } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import type { EventsModule } from '../events/index.ts'
import { FiguresService } from './figures.service.ts'
import { fleetRoutes } from './fleet.routes.ts'
import { FleetService } from './fleet.service.ts'
import { FleetStore } from './fleet.store.ts'
import { fleetCellsRoutes } from './fleet-cells.routes.ts'
import { FleetCellsService } from './fleet-cells.service.ts'
import { FleetCellsStore } from './fleet-cells.store.ts'
import { FleetChangesStore } from './fleet-changes.store.ts'
import { FleetListStore } from './fleet-list.store.ts'
import { fleetTableRoutes } from './fleet-table.routes.ts'
import { FleetTableService } from './fleet-table.service.ts'
import { FleetTableStore } from './fleet-table.store.ts'
import { readMapLayers } from './map-layers.service.ts'
import { MetricOrdersCache } from './metric-orders.cache.ts'
import { MonitorStore } from './monitors.store.ts'
import { NewestValuesStore } from './newest-values.store.ts'
import { type PresenceDeps, PresenceService } from './presence.service.ts'
import { trendRecorder } from './trends.loop.ts'
import { TrendsService } from './trends.service.ts'
import { TrendsStore } from './trends.store.ts'

export type FleetModule = ReturnType<typeof createFleetModule>

export function createFleetModule(
  { config, log, postgres, victoria }: Platform,
  uses: { events: EventsModule },
) {
  const { events } = uses.events
  const store = new FleetStore(postgres)
  const monitors = new MonitorStore(postgres)
  const list = new FleetListStore(postgres)
  const fleet = new FleetService({
    postgres,
    events,
    store,
    list,
    changes: new FleetChangesStore(postgres),
    monitors,
  })
  const values = new NewestValuesStore({ victoria: victoria.reads, intervals: list })
  const figures = new FiguresService({ store: values, fleet: list })
  const trends = new TrendsService({ store: new TrendsStore(postgres), figures, log })
  const tableStore = new FleetTableStore(postgres)
  const table = new FleetTableService({
    table: tableStore,
    list,
    values,
    orders: new MetricOrdersCache({ table: tableStore, values }),
    log,
  })
  const cells = new FleetCellsService({ store: new FleetCellsStore(postgres), table, figures })
  return {
    fleet,
    table,
    /** An ingester monitors the presence and health of the agents whose samples it receives. */
    createPresence: (deps: Pick<PresenceDeps, 'lagMs' | 'markOnboard'>) =>
      new PresenceService({
        postgres,
        events,
        store,
        monitors,
        healthRule: { ...healthDefaults, seconds: config.MANC_HEALTH_SECONDS },
        log,
        ...deps,
      }),
    routes: (api: FastifyInstance) => {
      fleetRoutes(api, { fleet, figures, trends, mapLayers: readMapLayers(config) })
      fleetTableRoutes(api, table)
      fleetCellsRoutes(api, cells)
    },
    background: { subscriber: [trendRecorder(trends, log)] },
    sweep: async () => {
      await fleet.sweep()
      await trends.sweep()
    },
  }
}
