export { createFleetModule, type FleetModule } from './fleet.module.ts'
export type { FleetService } from './fleet.service.ts'
export { HealthPlan } from './health.rules.ts'
export type { PresenceService } from './presence.service.ts'
