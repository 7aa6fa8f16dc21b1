import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { Background } from '../../module.ts'
import type { TrendsService } from './trends.service.ts'

/** Several times a minute, so that another process records a minute in which one has stopped. */
const intervalMs = 15_000

export function trendRecorder(trends: TrendsService, log: Logger): Background {
  return new Loop({ name: 'recording trends of the fleet', intervalMs, log, run: () => trends.record() })
}
