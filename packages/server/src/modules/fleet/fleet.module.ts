import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import type { EventsModule } from '../events/index.ts'
import { FiguresService } from './figures.service.ts'
import { FiguresStore } from './figures.store.ts'
import { fleetRoutes } from './fleet.routes.ts'
import { FleetService } from './fleet.service.ts'
import { FleetStore } from './fleet.store.ts'
import { FleetChangesStore } from './fleet-changes.store.ts'
import { FleetListStore } from './fleet-list.store.ts'
import { MonitorStore } from './monitors.store.ts'
import { type PresenceDeps, PresenceService } from './presence.service.ts'

export type FleetModule = ReturnType<typeof createFleetModule>

export function createFleetModule({ log, postgres, victoria }: Platform, uses: { events: EventsModule }) {
  const { events } = uses.events
  const store = new FleetStore(postgres)
  const monitors = new MonitorStore(postgres)
  const fleet = new FleetService({
    postgres,
    events,
    store,
    list: new FleetListStore(postgres),
    changes: new FleetChangesStore(postgres),
    monitors,
  })
  const figures = new FiguresService({ store: new FiguresStore(victoria.reads), fleet })
  return {
    fleet,
    /** An ingester monitors the presence of the agents whose samples it receives. */
    createPresence: (deps: Pick<PresenceDeps, 'lagMs' | 'markOnboard'>) =>
      new PresenceService({ postgres, events, store, monitors, log, ...deps }),
    routes: (api: FastifyInstance) => fleetRoutes(api, { fleet, figures }),
    sweep: () => fleet.sweep(),
  }
}
