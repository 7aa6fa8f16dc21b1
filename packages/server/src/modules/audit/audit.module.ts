import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import { auditRoutes } from './audit.routes.ts'
import { AuditService } from './audit.service.ts'
import { AuditStore } from './audit.store.ts'
import { entryQuota } from './entry-quota.service.ts'
import { LoginAudit } from './login-audit.service.ts'

export type AuditModule = ReturnType<typeof createAuditModule>

export function createAuditModule({ config, postgres, limits }: Platform) {
  entryQuota.configure({
    perMinute: config.MANC_AUDIT_ENTRIES_PER_MINUTE,
    onReached: () => limits.count('MANC_AUDIT_ENTRIES_PER_MINUTE'),
  })
  const audit = new AuditService({ store: new AuditStore(postgres), retentionDays: config.MANC_AUDIT_DAYS })
  return {
    logins: new LoginAudit({ postgres, quota: entryQuota }),
    routes: (api: FastifyInstance) => auditRoutes(api, audit),
    sweep: () => audit.sweep(),
  }
}
