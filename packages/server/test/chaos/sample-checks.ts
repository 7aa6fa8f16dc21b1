import type { EventOf, HistoryEvent } from './history.ts'
import { acknowledgedOf, type Operation } from './operations.ts'

/** What a check has found. */
export interface Findings {
  acknowledged: number
  violations: Record<string, number>
  details: string[]
}

/** Every acknowledged sample is in every store, once, with its values; and nothing else is. */
export function checkSamples(
  events: readonly HistoryEvent[],
  operations: readonly Operation[],
  { metrics, stores }: EventOf<'configured'>,
): Findings {
  const sent = new Set(
    operations.filter(({ kind }) => kind === 'mqtt' || kind === 'http').map(({ subject }) => subject),
  )
  const acknowledged = acknowledgedOf(operations, 'mqtt', 'http')
  const complete = new Map(stores.map((store) => [store, new Set<string>()]))
  let repeated = 0
  let unexpected = 0
  for (const event of events) {
    if (event.type !== 'stored') continue
    repeated += event.repeated
    unexpected += event.wrong
    if (!sent.has(event.subject)) unexpected += event.points
    else if (event.points === metrics) complete.get(event.store)?.add(event.subject)
  }
  const missing = stores.map((store) => ({
    store,
    samples: acknowledged.filter(({ subject }) => !complete.get(store)?.has(subject)),
  }))
  const lost = new Set(missing.flatMap(({ samples }) => samples.map(({ subject }) => subject)))
  return {
    acknowledged: acknowledged.length,
    violations: { samples_lost: lost.size, samples_repeated: repeated, samples_unexpected: unexpected },
    details: missing
      .filter(({ samples }) => samples.length > 0)
      .map(
        ({ store, samples }) => `${store} misses ${samples.length} samples, such as ${samples[0]?.subject}`,
      ),
  }
}
