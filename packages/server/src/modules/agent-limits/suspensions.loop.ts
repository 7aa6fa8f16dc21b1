import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { SuspensionService } from './suspensions.service.ts'

/** Runs in every process that consumes messages of agents. */
export function suspensionsLoop(suspensions: SuspensionService, log: Logger): Loop {
  return new Loop({
    name: 'suspending agents',
    intervalMs: 200,
    log,
    run: () => suspensions.flush(),
  })
}
