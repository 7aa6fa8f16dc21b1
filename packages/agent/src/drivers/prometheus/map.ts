import { oneOf, technologies } from '@manc/contract'
import Type, { type Static } from 'typebox'
import { formProblems, maxMetrics, metricSchema, type Series } from '../maps/metric-map.ts'
import node from './maps/node-exporter.json' with { type: 'json' }
import open5gs from './maps/open5gs.json' with { type: 'json' }
import openwrt from './maps/openwrt.json' with { type: 'json' }
import type { PrometheusSample } from './text-format.ts'

export const readyMaps = { 'node-exporter': node, open5gs, openwrt }

const labelFilter = Type.Record(Type.String(), Type.String({ maxLength: 500 }), {
  description:
    'a pattern for each label, with "!" before it for all others: {"device": "wlan[0-9]", "mode": "!idle"}',
})

const metricName = Type.String({
  pattern: '^[a-zA-Z_:][a-zA-Z0-9_:]{0,199}$',
  description: 'the name of a metric of the exporter: "node_load1"',
})

const selectorMembers = { from: metricName, labels: Type.Optional(labelFilter) }

export interface Selector {
  from: string
  labels?: Record<string, string>
}

/** What the metrics of an exporter are called at the controller. */
export const mapSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 200 })),
    about: Type.Optional(Type.String({ maxLength: 500, description: 'a text' })),
    technology: Type.Optional(oneOf(technologies, 'one of "5G", "WiFi", "LiFi" and "other"')),
    metrics: Type.Record(Type.String(), metricSchema(selectorMembers, '{"from": "node_load1"}'), {
      maxProperties: maxMetrics,
      description:
        'an object with a selector for each metric to send: {"load_pct": {"from": "cell_load_percent"}}',
    }),
    clients: Type.Optional(
      Type.Object(
        {
          ...selectorMembers,
          client: Type.String({
            minLength: 1,
            maxLength: 100,
            description: 'the label that names the client: "station"',
          }),
          is_signal_dbm: Type.Optional(
            Type.Boolean({ description: 'true if the value is the signal of the client in dBm' }),
          ),
        },
        {
          additionalProperties: false,
          description:
            'a metric with a sample for each client: {"from": "hostapd_station_signal_dbm", "client": "station"}',
        },
      ),
    ),
  },
  { additionalProperties: false, description: 'a map: {"metrics": {…}}' },
)
export type PrometheusMap = Static<typeof mapSchema>

/** What the schema of a map cannot express. */
export function mapProblems(map: PrometheusMap, path: string): string[] {
  const filters = [map.clients, ...Object.values(map.metrics).flatMap(termsOf)].flatMap((selector) =>
    Object.entries(selector?.labels ?? {}),
  )
  return [
    ...formProblems(map.metrics, 'from', `${path}: metrics`),
    ...filters.flatMap(([label, text]) =>
      patternOf(text)
        ? []
        : [
            `${path}: the pattern of the label ${label} is invalid. Write a regular expression, or a plain text.`,
          ],
    ),
  ]
}

function termsOf(metric: object): Selector[] {
  const { ratio, difference, sum, ...own } = metric as Record<string, Selector[] | undefined>
  return [own as unknown as Selector, ...(ratio ?? difference ?? sum ?? [])]
}

/** Undefined if it is no regular expression. It has to match the whole value. */
function patternOf(text: string): { isNegated: boolean; pattern: RegExp } | undefined {
  const isNegated = text.startsWith('!')
  try {
    return { isNegated, pattern: new RegExp(`^(?:${isNegated ? text.slice(1) : text})$`) }
  } catch {
    return undefined
  }
}

/** Selects samples by name and labels. Patterns are compiled once. */
export class SampleSelector {
  readonly #patterns = new Map<string, ReturnType<typeof patternOf>>()
  readonly #where: Readonly<Record<string, string>>

  /** `where` holds for all samples that have these labels: an exporter may serve several access points. */
  constructor(where: Readonly<Record<string, string>> = {}) {
    this.#where = where
  }

  select(
    samples: ReadonlyMap<string, readonly PrometheusSample[]>,
    { from, labels = {} }: Selector,
  ): PrometheusSample[] {
    return (samples.get(from) ?? []).filter(
      (sample) =>
        Object.entries(labels).every(([label, text]) => this.#matches(sample.labels[label] ?? '', text)) &&
        Object.entries(this.#where).every(
          ([label, text]) => sample.labels[label] === undefined || this.#matches(sample.labels[label], text),
        ),
    )
  }

  #matches(value: string, text: string): boolean {
    const found = this.#patterns.get(text) ?? patternOf(text)
    this.#patterns.set(text, found)
    return found !== undefined && found.pattern.test(value) !== found.isNegated
  }
}

/** The labels make the key: they are the same at each reading. */
export const seriesOf = (samples: readonly PrometheusSample[]): Series[] =>
  samples.map(({ labels, value }) => ({ key: JSON.stringify(labels), value }))
