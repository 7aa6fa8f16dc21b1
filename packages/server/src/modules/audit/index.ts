export type { Actor } from '../../actor.ts'
export { createAuditModule } from './audit.module.ts'
export { recordAudit } from './audit.service.ts'
