import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { RecoveryService } from './recovery.service.ts'

/** Sends the e-mails of password-recovery requests, one after the other. */
export function recoveryLoop(recovery: RecoveryService, log: Logger): Loop {
  return new Loop({
    name: 'sending recovery e-mails',
    everyMs: 500,
    log,
    round: async (signal) => {
      await recovery.dropUnknown()
      while (!signal.aborted && (await recovery.processNext()));
    },
  })
}
