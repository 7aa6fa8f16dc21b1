import type { Logger } from 'pino'
import type { Victoria } from '../../engines/victoria.ts'
import { Loop } from '../../loop.ts'
import type { Background } from '../../module.ts'
import type { MetricsGapsStore } from './metrics-gaps.store.ts'

const intervalMs = 2000

/** Runs in every process that reads samples: reads prefer a store that misses nothing. */
export function gapWatch(victoria: Victoria, gaps: MetricsGapsStore, log: Logger): Background {
  const loop = new Loop({
    name: 'reading which metrics store misses samples',
    intervalMs,
    log,
    run: async () => victoria.setGaps(await gaps.totals()),
  })
  return {
    start: () => {
      if (victoria.stores.length > 1) loop.start()
    },
    stop: () => loop.stop(),
  }
}
