import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { DisconnectionService } from './disconnections.service.ts'

/** Runs in every subscriber replica; row locks distribute the due disconnections. */
export function disconnectionsLoop(disconnections: DisconnectionService, log: Logger): Loop {
  return new Loop({
    name: 'disconnecting agents',
    intervalMs: 250,
    log,
    run: async () => {
      while (await disconnections.runDue());
    },
  })
}
