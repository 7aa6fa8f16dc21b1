import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { RecoveryService } from './recovery.service.ts'

/** Sends the e-mails of password-recovery requests, one after the other. */
export function recoveryLoop(recovery: RecoveryService, log: Logger): Loop {
  return new Loop({
    name: 'sending recovery e-mails',
    intervalMs: 500,
    log,
    run: async (signal) => {
      await recovery.dropUnknown()
      while (!signal.aborted && (await recovery.processNext()));
    },
  })
}
