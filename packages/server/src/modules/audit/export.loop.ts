import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { Background } from '../../module.ts'
import type { ExportService } from './export.service.ts'

/** Runs in every subscriber replica; the one with the lease exports. */
export function exportLoop(exports: ExportService, log: Logger): Background {
  const loop = new Loop({
    name: 'exporting audit entries',
    intervalMs: 1000,
    log,
    run: async (signal) => {
      while (!signal.aborted && (await exports.runBatch()));
    },
  })
  return {
    start: () => loop.start(),
    stop: async () => {
      await loop.stop()
      await exports.stop().catch((error: unknown) => log.warn({ err: error }, 'the export lease stays'))
    },
  }
}
