export type { Actor } from '../../actor.ts'
export { type AuditModule, createAuditModule } from './audit.module.ts'
export { recordAudit } from './audit.service.ts'
export type { LoginAudit } from './login-audit.service.ts'
