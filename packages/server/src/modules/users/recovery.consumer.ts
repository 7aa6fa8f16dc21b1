import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { RecoveryService } from './recovery.service.ts'

/** Sends what recovery requests ask for, one after the other, on every replica of the role. */
export function recoveryConsumer(recovery: RecoveryService, log: Logger): Loop {
  return new Loop({
    name: 'sending recovery e-mails',
    everyMs: 500,
    log,
    round: async (signal) => {
      await recovery.dropUnknown()
      while (!signal.aborted && (await recovery.serveNext()));
    },
  })
}
