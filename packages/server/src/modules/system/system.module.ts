import type { FastifyInstance } from 'fastify'
import { listOf } from '../../config.ts'
import type { Platform } from '../../module.ts'

import { EngineWatch } from './engine-watch.loop.ts'
import { CachedPart } from './parts.cache.ts'
import { partSources, reportedSources, type SystemUses } from './parts.registry.ts'
import type { ProcessRow } from './parts.types.ts'
import { processHeartbeat } from './process-heartbeat.loop.ts'
import { ProcessStore } from './processes.store.ts'
import { systemRoutes } from './system.routes.ts'
import { SystemHealthService } from './system-health.service.ts'

const checkMs = { intervalMs: 3000, timeoutMs: 1800 }
/** A check logs in at the mail server, which may answer slowly to prevent abuse. */
const mailCheckMs = { intervalMs: 60_000, timeoutMs: 20_000 }

export function createSystemModule(platform: Platform, uses: SystemUses) {
  const { config, version, log, postgres, mail, checks } = platform
  const store = new ProcessStore(postgres)
  const watch = new EngineWatch(
    [
      ...checks.map(({ name, ping }) => ({ name, ping, ...checkMs })),
      ...(mail.configured ? [{ name: 'mail', ping: () => mail.ping(), ...mailCheckMs }] : []),
    ],
    log,
  )
  let processes: readonly ProcessRow[] = []
  const readProcesses = async () => {
    processes = await store.list()
    return processes
  }
  const health = new SystemHealthService({
    engines: () => watch.states,
    parts: partSources(platform, uses, { readProcesses, databaseSize: () => store.databaseSize() }).map(
      (source) => new CachedPart(source, log),
    ),
    processes: () => processes,
  })
  const reported = reportedSources(platform).map((source) => new CachedPart(source, log))
  return {
    routes: (api: FastifyInstance) => systemRoutes(api, { health }),
    background: {
      all: [
        watch,
        processHeartbeat({
          store,
          roles: listOf(config.MANC_ROLES),
          version,
          engines: () => watch.states,
          parts: () => Promise.all(reported.map((part) => part.read())),
          log,
        }),
      ],
    },
    sweep: () => store.sweep(),
  }
}
