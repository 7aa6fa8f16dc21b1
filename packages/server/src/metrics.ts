import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { Logger } from 'pino'

/** All labels of a metric; the library would accept a part of them. */
type Labels<L extends string> = Readonly<Record<L, string | number>>

interface Reading<L extends string = never> {
  labels: Labels<L>
  value: number
}

interface Definition<L extends string> {
  /** With the prefix `manc_`, in base units, counters with the suffix `_total`. */
  name: string
  help: string
  labels?: readonly L[]
}

interface CountDefinition<L extends string> extends Definition<L> {
  /** Series that are reported as 0 from the start. Otherwise Prometheus would not see the first increase of a series. */
  initial?: readonly Labels<L>[]
}

interface GaugeDefinition<L extends string> extends Definition<L> {
  /** Called when the metrics are requested. */
  read: () => readonly Reading<L>[] | Promise<readonly Reading<L>[]>
  /** Readings that cost a query are reused for this time, however often the metrics are requested. */
  keepMs?: number
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The Prometheus metrics of the process: the adapter of the client library. Each module defines its own metrics. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #log: Logger
  readonly #countFailure: (labels: Labels<'metric'>) => void
  readonly #countLookup: (labels: Labels<'cache' | 'outcome'>) => void

  constructor(log: Logger) {
    this.#log = log
    collectDefaultMetrics({ register: this.#registry })
    this.#countFailure = this.counter({
      name: 'manc_metric_read_failures_total',
      help: 'Metrics that could not be read, for example because the database was down, by metric',
      labels: ['metric'],
    })
    this.#countLookup = this.counter({
      name: 'manc_cache_lookups_total',
      help: 'Look-ups in a cache, by cache and outcome',
      labels: ['cache', 'outcome'],
    })
  }

  /** Returns the function that counts. */
  counter<L extends string = never>({ name, help, labels = [], initial = [] }: CountDefinition<L>) {
    const counter = new Counter<string>({ name, help, labelNames: labels, registers: [this.#registry] })
    for (const of of initial) counter.inc(of, 0)
    return (of: Labels<L>, by = 1): void => counter.inc(of, by)
  }

  /** Returns the function that observes a duration in seconds. */
  duration<L extends string = never>({ name, help, labels = [], initial = [] }: CountDefinition<L>) {
    const registers = [this.#registry]
    const histogram = new Histogram<string>({ name, help, labelNames: labels, buckets: seconds, registers })
    for (const of of initial) histogram.zero(of)
    return (of: Labels<L>, durationS: number): void => histogram.observe(of, durationS)
  }

  gauge<L extends string = never>({ name, help, labels = [], read, keepMs = 0 }: GaugeDefinition<L>): void {
    let reading: Promise<readonly Reading<L>[]> = Promise.resolve([])
    let isReading = false
    let readAt = Number.NEGATIVE_INFINITY
    // A reading that fails must not fail the others: the metric is left out of the response.
    const readOrSkip = async () => {
      isReading = true
      try {
        return await read()
      } catch (error) {
        this.#countFailure({ metric: name })
        this.#log.debug({ err: error, metric: name }, 'a metric could not be read')
        return []
      } finally {
        isReading = false
        readAt = performance.now()
      }
    }
    const gauge: Gauge<string> = new Gauge<string>({
      name,
      help,
      labelNames: labels,
      registers: [this.#registry],
      collect: async () => {
        // Requests at the same time share one reading.
        if (!isReading && performance.now() - readAt >= keepMs) reading = readOrSkip()
        const readings = await reading
        gauge.reset()
        // Without labels, a reset gauge would be reported as 0.
        if (labels.length === 0) gauge.remove()
        for (const each of readings) gauge.set(each.labels, each.value)
      },
    })
  }

  /** Returns the function that counts the look-ups in a cache. */
  cache(name: string): (isHit: boolean) => void {
    const hit = { cache: name, outcome: 'hit' }
    const miss = { cache: name, outcome: 'miss' }
    return (isHit) => this.#countLookup(isHit ? hit : miss)
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }
}
