import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { Platform } from '../../module.ts'
import { auditRoutes } from './audit.routes.ts'
import { AuditService } from './audit.service.ts'
import { AuditStore } from './audit.store.ts'
import { AuditFile } from './audit-file.client.ts'
import { entryQuota } from './entry-quota.service.ts'
import { exportLoop } from './export.loop.ts'
import { ExportService } from './export.service.ts'
import { ExportStore } from './export.store.ts'
import { LoginAudit } from './login-audit.service.ts'
import type { AuditReceiver } from './receiver.types.ts'
import { SyslogClient } from './syslog.client.ts'

export type AuditModule = ReturnType<typeof createAuditModule>

export function createAuditModule({ config, log, postgres, limits, metrics }: Platform) {
  entryQuota.configure({
    perMinute: config.MANC_AUDIT_ENTRIES_PER_MINUTE,
    onReached: () => limits.count('MANC_AUDIT_ENTRIES_PER_MINUTE'),
  })
  const audit = new AuditService({ store: new AuditStore(postgres), retentionDays: config.MANC_AUDIT_DAYS })
  const store = new ExportStore(postgres)
  const receivers = receiversOf(config)
  metrics.gauge({
    name: 'manc_audit_export_pending',
    help: 'Audit entries older than 90 seconds that the audit file or the syslog server does not have, at most 10000',
    keepMs: 5000,
    read: async () => [{ labels: {}, value: receivers.length > 0 ? await store.pending(10_000) : 0 }],
  })
  return {
    logins: new LoginAudit({ postgres, quota: entryQuota }),
    routes: (api: FastifyInstance) => auditRoutes(api, audit),
    sweep: () => audit.sweep(),
    background: {
      subscriber: receivers.length > 0 ? [exportLoop(new ExportService({ store, receivers }), log)] : [],
    },
  }
}

const receiversOf = ({
  MANC_AUDIT_PATH: file,
  MANC_AUDIT_SYSLOG_URL: syslogUrl,
}: Config): AuditReceiver[] => [
  ...(file === undefined ? [] : [new AuditFile(file)]),
  ...(syslogUrl === undefined ? [] : [new SyslogClient(syslogUrl)]),
]
