export { createFleetModule, type FleetModule } from './fleet.module.ts'
export type { FleetService } from './fleet.service.ts'
export type { PresenceService } from './presence.service.ts'
