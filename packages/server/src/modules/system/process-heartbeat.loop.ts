import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { Background } from '../../module.ts'
import type { EngineState, Part } from './parts.types.ts'
import type { ProcessStore } from './processes.store.ts'

const intervalMs = 5000

/** Keeps this process in the list of running ones. */
export function processHeartbeat(options: {
  store: ProcessStore
  roles: string[]
  version: string
  engines: () => readonly EngineState[]
  parts: () => Promise<Part[]>
  log: Logger
}): Background {
  const { store, roles, version, engines, parts, log } = options
  const own = { id: randomUUID(), host: hostname(), roles, version }
  const loop = new Loop({
    name: 'process heartbeat',
    intervalMs,
    log,
    run: async () => store.heartbeat({ ...own, engines: engines(), parts: await parts() }),
  })
  return {
    start: () => loop.start(),
    async stop() {
      await loop.stop()
      try {
        await store.remove(own.id)
      } catch (error) {
        // It is listed as ended without a shutdown.
        log.debug({ err: error }, 'the process could not be removed from the list')
      }
    },
  }
}
