export { createDisconnectionsModule, type DisconnectionsModule } from './disconnections.module.ts'
export type { DisconnectionService } from './disconnections.service.ts'
