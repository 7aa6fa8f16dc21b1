import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import { auditRoutes } from './audit.routes.ts'
import { AuditService } from './audit.service.ts'
import { AuditStore } from './audit.store.ts'
import { dropOldAudit } from './record.ts'

export function createAuditModule({ config, postgres }: Platform) {
  const audit = new AuditService(new AuditStore(postgres))
  return {
    routes: (api: FastifyInstance) => auditRoutes(api, audit),
    sweep: () => dropOldAudit(postgres.db, config.MANC_AUDIT_DAYS),
  }
}
