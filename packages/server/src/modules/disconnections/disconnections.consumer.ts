import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { DisconnectionService } from './disconnections.service.ts'

/** Every replica of the role looks; row locks share out what is due. */
export function disconnectionsConsumer(disconnections: DisconnectionService, log: Logger): Loop {
  return new Loop({
    name: 'disconnecting agents',
    everyMs: 250,
    log,
    round: async () => {
      while (await disconnections.serveDue());
    },
  })
}
