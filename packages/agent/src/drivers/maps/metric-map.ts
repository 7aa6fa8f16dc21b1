import { oneOf } from '@manc/contract'
import Type, { type Static, type TObject, type TProperties } from 'typebox'
import type { Readings } from '../driver.ts'
import { Counters, type CounterValue } from './counters.ts'

/** One value of the device that a selector matches. `key` is the same at each reading. */
export interface Series extends CounterValue {
  key: string
}

const combineMember = oneOf(
  ['sum', 'mean', 'min', 'max', 'count'],
  'how several values become one: "sum", "mean", "min", "max" or "count"',
)

/** How the values of a selector become one number. */
const termMembers = {
  rate: Type.Optional(
    Type.Boolean({ description: 'true for the increase of a counter per second, or leave it out' }),
  ),
  increase: Type.Optional(
    Type.Boolean({
      description: 'true for the increase of a counter since the reading before, or leave it out',
    }),
  ),
  combine: Type.Optional(combineMember),
}

const number = (description: string) => Type.Optional(Type.Number({ description }))

/** Members of a metric that do not depend on what is selected. */
const metricMembers = {
  ...termMembers,
  factor: number('a number that the value is multiplied by: 0.000008'),
  offset: number('a number that is added afterwards: 100'),
  min: number('a number: smaller values are raised to it'),
  max: number('a number: larger values are lowered to it'),
}

/**
 * Schema of a metric: a selector, or a ratio, a difference or a sum of selectors, then a factor and an offset. The members of the
 * selector depend on the protocol.
 */
export function metricSchema(selector: TProperties, example: string) {
  const term = Type.Object(
    { ...selector, ...termMembers },
    { additionalProperties: false, description: example },
  )
  const optional: TProperties = Object.fromEntries(
    Object.entries(selector).map(([name, schema]) => [name, Type.Optional(schema)]),
  )
  return Type.Object(
    {
      ...optional,
      ...metricMembers,
      ratio: Type.Optional(
        Type.Array(term, {
          minItems: 2,
          maxItems: 2,
          description: `two selectors: [${example}, ${example}]`,
        }),
      ),
      difference: Type.Optional(
        Type.Array(term, {
          minItems: 2,
          maxItems: 2,
          description: `two selectors: [${example}, ${example}]`,
        }),
      ),
      sum: Type.Optional(
        Type.Array(term, { minItems: 1, maxItems: 16, description: `selectors: [${example}, …]` }),
      ),
    },
    { additionalProperties: false, description: example },
  )
}

type TermMembers = Static<TObject<typeof termMembers>>
type MetricMembers<Selector> = Partial<Selector> &
  Static<TObject<typeof metricMembers>> & {
    ratio?: (Selector & TermMembers)[]
    difference?: (Selector & TermMembers)[]
    sum?: (Selector & TermMembers)[]
  }

/** Names that the controller accepts. */
const metricName = /^\S{1,128}$/
export const maxMetrics = 250

/** Exactly one of the forms, and a valid name. `own` is a required member of the selector. */
export function formProblems(metrics: Record<string, object>, own: string, path: string): string[] {
  return Object.entries(metrics).flatMap(([name, metric]) => {
    if (!metricName.test(name))
      return [
        `${path}: "${name.slice(0, 40)}" is no name of a metric. Write 1 to 128 characters without spaces.`,
      ]
    const forms = [own, 'ratio', 'difference', 'sum'].filter((form) => form in metric)
    return forms.length === 1
      ? []
      : [`${path}.${name} is invalid. Write exactly one of: ${own}, ratio, difference, sum`]
  })
}

/** Computes metrics from the values of a device, reading after reading. */
export class MetricReader<Selector extends object> {
  readonly #metrics: [string, MetricMembers<Selector>][]
  readonly #own: string
  readonly #counters = new Counters()

  constructor(metrics: Record<string, object>, own: string) {
    this.#metrics = Object.entries(metrics)
    this.#own = own
  }

  /** All selectors of the map. */
  get selectors(): Selector[] {
    return this.#metrics.flatMap(([, metric]) => this.#terms(metric))
  }

  /** The device restarted: its counters did too. */
  restarted(): void {
    this.#counters.reset()
  }

  /** Metrics whose values the device does not have are left out. */
  read(select: (selector: Selector) => readonly Series[], atMs: number): Readings {
    this.#counters.next()
    const readings: Readings = {}
    for (const [name, metric] of this.#metrics) {
      const values = this.#terms(metric).map((term, n) =>
        this.#valueOf(term, select(term), `${name} ${n}`, atMs),
      )
      const value = combinedForm(metric, values)
      if (value !== undefined && Number.isFinite(value)) readings[name] = finished(metric, value)
    }
    return readings
  }

  #terms(metric: MetricMembers<Selector>): (Selector & TermMembers)[] {
    if (this.#own in metric) return [metric as unknown as Selector & TermMembers]
    return metric.ratio ?? metric.difference ?? metric.sum ?? []
  }

  #valueOf(
    { rate, increase, combine = 'sum' }: TermMembers,
    series: readonly Series[],
    name: string,
    atMs: number,
  ): number | undefined {
    const values =
      rate || increase
        ? series.flatMap((each) => {
            const change = this.#counters.increase(`${name} ${each.key}`, each, atMs)
            if (!change) return []
            return [rate ? change.by / change.seconds : change.by]
          })
        : series.map(({ value }) => Number(value))
    return combined(values, combine)
  }
}

/** Undefined without a value; 0 where values are counted. */
export function combined(values: readonly number[], how: string): number | undefined {
  if (how === 'count') return values.length
  if (values.length === 0) return undefined
  // Not as arguments of one call: there may be 100,000.
  if (how === 'min') return values.reduce((least, value) => Math.min(least, value))
  if (how === 'max') return values.reduce((most, value) => Math.max(most, value))
  const sum = values.reduce((total, value) => total + value, 0)
  return how === 'mean' ? sum / values.length : sum
}

function combinedForm(
  metric: { ratio?: unknown; difference?: unknown },
  values: readonly (number | undefined)[],
): number | undefined {
  const known = values.filter((value) => value !== undefined)
  const [first, second] = values
  if (metric.ratio !== undefined || metric.difference !== undefined) {
    if (first === undefined || second === undefined) return undefined
    if (metric.difference !== undefined) return first - second
    return second === 0 ? undefined : first / second
  }
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0)
}

function finished(
  { factor = 1, offset = 0, min = -Infinity, max = Infinity }: Static<TObject<typeof metricMembers>>,
  value: number,
): number {
  const result = Math.min(max, Math.max(min, value * factor + offset))
  // Beyond the precision of what devices measure; 0.1 + 0.2 must not become 0.30000000000000004.
  return Number.isInteger(result) ? result : Number(result.toPrecision(12))
}
