export { toRecord } from './event-record.format.ts'
export { createEventsModule, type EventsModule } from './events.module.ts'
export { choiceOf, viewOf } from './events.routes.ts'
export type { EventService } from './events.service.ts'
export { type EventRow, type NewEvent, positionOf } from './events.types.ts'
export {
  adminLoginEvent,
  clientDroppedEvent,
  clientMovedEvent,
  commandEvent,
  configuredEvent,
  decisionEvent,
  emulationEndedEvent,
  emulationPhaseEvent,
  emulationStartedEvent,
  healthEvent,
  onboardedEvent,
  presenceEvent,
  versionChangedEvent,
} from './new-events.format.ts'
export { followerFilter } from './visibility.rules.ts'
