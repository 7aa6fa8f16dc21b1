import { auditOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { jsonLines } from '../../http/json-streams.ts'
import { linkNext } from '../../http/paging.ts'
import { serve } from '../../http/serve.ts'
import type { AuditService } from './audit.service.ts'
import { toRecord } from './audit-record.format.ts'

export function auditRoutes(app: FastifyInstance, audit: AuditService): void {
  const { listAudit } = operations

  // The limit has a default in the contract, which validation applies.
  serve(app, listAudit, async ({ query: { limit = Number.NaN, after, ...filter } }, reply) => {
    const page = await audit.page(filter, after, limit)
    if (page.length === limit) linkNext(reply, listAudit, limit, page.at(-1)?.id, textsOf(filter))
    return page.map(toRecord)
  })

  serve(app, operations.exportAudit, async ({ query }) => jsonLines(audit.all(query)))
}

function textsOf(filter: Record<string, string | Date>): URLSearchParams {
  const texts = Object.entries(filter).map(([name, value]): [string, string] => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ])
  return new URLSearchParams(texts)
}
