import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import { auditRoutes } from './audit.routes.ts'
import { AuditService } from './audit.service.ts'
import { AuditStore } from './audit.store.ts'

export function createAuditModule({ config, postgres }: Platform) {
  const audit = new AuditService({ store: new AuditStore(postgres), retentionDays: config.MANC_AUDIT_DAYS })
  return {
    routes: (api: FastifyInstance) => auditRoutes(api, audit),
    sweep: () => audit.sweep(),
  }
}
