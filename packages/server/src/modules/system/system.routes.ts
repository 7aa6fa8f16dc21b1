import { systemOperations as operations, type SystemHealth } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/serve.ts'
import type { Part, ProcessRow } from './parts.types.ts'
import type { SystemHealthService } from './system-health.service.ts'

export function systemRoutes(app: FastifyInstance, { health }: { health: SystemHealthService }): void {
  serve(app, operations.getSystemHealth, async () => {
    const { state, parts, processes } = await health.read()
    return {
      state,
      parts: parts.map(toPart),
      processes: processes.map(toProcess),
      as_of: new Date().toISOString(),
    }
  })
}

const toPart = (part: Part): SystemHealth['parts'][number] => ({
  id: part.id,
  name: part.name,
  state: part.state,
  reason: part.reason,
  next_step: part.nextStep ?? null,
  runbook: part.runbook === undefined ? null : `docs/operations/${part.runbook}.md`,
  since: part.since?.toISOString() ?? null,
  figures: part.figures ?? {},
})

const toProcess = (process: ProcessRow): SystemHealth['processes'][number] => ({
  id: process.id,
  host: process.host,
  roles: process.roles,
  version: process.version,
  started_at: process.startedAt.toISOString(),
  alive_at: process.aliveAt.toISOString(),
  is_alive: process.isAlive,
})
