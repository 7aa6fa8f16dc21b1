import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { IncompleteBatch } from './batch.buffer.ts'
import { rangesOf } from './batch-copies.rules.ts'
import type { Gap } from './gap-pieces.rules.ts'
import type { MetricsGapsStore } from './metrics-gaps.store.ts'
import type { QueueIntake } from './queue-intake.consumer.ts'

interface Deps {
  intakes: () => Iterable<QueueIntake>
  gaps: MetricsGapsStore
  log: Logger
}

const intervalMs = 1000

/**
 * While a metrics store is out, records which times it misses. Only then are the batches acknowledged that other stores
 * have: if this process or the broker fails, the gap is still known.
 */
export class GapRecorder {
  readonly #deps: Deps
  readonly #loop: Loop

  constructor(deps: Deps) {
    this.#deps = deps
    this.#loop = new Loop({
      name: 'recording what a metrics store misses',
      intervalMs,
      log: deps.log,
      run: () => this.#run(),
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #run(): Promise<void> {
    const batches = [...this.#deps.intakes()].flatMap((intake) => intake.incomplete())
    if (batches.length === 0) return
    await this.#deps.gaps.record(gapsOf(batches))
    for (const batch of batches) batch.recorded()
    for (const intake of this.#deps.intakes()) intake.acknowledge()
  }
}

/** Each store, source and range once. */
function gapsOf(batches: readonly IncompleteBatch[]): Gap[] {
  const minutesOf = new Map<string, { store: string; source: string; minutes: Set<number> }>()
  for (const { source, missingFrom, minutes } of batches)
    for (const store of missingFrom) {
      const key = `${store} ${source}`
      const known = minutesOf.get(key) ?? { store, source, minutes: new Set() }
      minutesOf.set(key, known)
      for (const minute of minutes) known.minutes.add(minute)
    }
  return [...minutesOf.values()].flatMap(({ store, source, minutes }) =>
    rangesOf([...minutes]).map((range) => ({ store, source, ...range })),
  )
}
