import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import { FiguresService } from './figures.service.ts'
import { FiguresStore } from './figures.store.ts'
import { fleetRoutes } from './fleet.routes.ts'
import { FleetService } from './fleet.service.ts'
import { FleetStore } from './fleet.store.ts'
import { PresenceStore } from './presence.store.ts'
import { Presence } from './presence.ts'

export type FleetModule = ReturnType<typeof createFleetModule>

export function createFleetModule({ log, postgres, victoria }: Platform) {
  const fleetStore = new FleetStore(postgres)
  const presenceStore = new PresenceStore(postgres)
  const fleet = new FleetService(fleetStore)
  const figures = new FiguresService({ store: new FiguresStore(victoria.reads), fleet })
  return {
    fleet,
    fleetStore,
    presenceStore,
    /** An ingester tracks the presence of the agents whose messages it takes. */
    trackPresence: (isCurrent: () => boolean) => new Presence({ store: presenceStore, isCurrent, log }),
    routes: (api: FastifyInstance) => fleetRoutes(api, { fleet, figures }),
    sweep: () => fleet.sweep(),
  }
}
