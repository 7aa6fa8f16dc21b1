import type { AttachedClient } from '@manc/sdk/agent'
import { fetchWith } from '@manc/sdk/tls'
import Type, { type Static } from 'typebox'
import { addressProblems } from '../../settings/problems.ts'
import { type Driver, driverKind, type Reading } from '../driver.ts'
import { boundedText, deviceTls, request, shown } from '../http.ts'
import { readMap } from '../maps/map-file.ts'
import { MetricReader } from '../maps/metric-map.ts'
import {
  mapProblems,
  mapSchema,
  type PrometheusMap,
  readyMaps,
  SampleSelector,
  type Selector,
  seriesOf,
} from './map.ts'
import { type PrometheusSample, parseMetrics } from './text-format.ts'

const maxBodyMib = 16
const maxClients = 5000
const maxShown = 10
const maxValueLength = 60
const notPrinted = 'not in the exporter'
const excluded = 'excluded by labels or where'

const schema = Type.Object(
  {
    driver: Type.Literal('prometheus'),
    urls: Type.Array(Type.String({ pattern: '^https?://[^\\s/]+', maxLength: 2000 }), {
      minItems: 1,
      maxItems: 8,
      description: 'the addresses of its exporters: ["http://192.0.2.7:9100/metrics"]',
    }),
    map: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: `the name of a ready-made map (${Object.keys(readyMaps).join(', ')}), or the path of a file: "/etc/manc-agent/my-map.json"`,
    }),
    where: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 500 }), {
        description: 'labels of this access point, if the exporter has several: {"cell": "1"}',
      }),
    ),
    bearer_token: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4096, description: 'the token that the exporter requires' }),
    ),
    username: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'the user name of basic authentication' }),
    ),
    password: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'the password of basic authentication' }),
    ),
    ca_file: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description: 'the file of the CA to trust: "/etc/manc/ca.pem"',
      }),
    ),
  },
  { additionalProperties: false },
)
type Options = Static<typeof schema>

/** Any exporter of Prometheus. */
export const prometheus = driverKind({
  name: 'prometheus',
  schema,
  describe: ({ urls }) => urls.map(shown).join(' '),
  resolve(options, path) {
    const { map, files, problems } = readMap(options.map, `${path}.map`, {
      ready: readyMaps,
      schema: mapSchema,
    })
    const found = [...problems]
    if (problems.length === 0) found.push(...mapProblems(map as PrometheusMap, options.map))
    for (const [n, url] of options.urls.entries()) {
      const at = `${path}.urls[${n}]`
      found.push(
        ...addressProblems(schema.properties.urls, url, at, 'write username and password beside urls.'),
      )
    }
    const technology = (map as PrometheusMap | undefined)?.technology
    return {
      options: { ...options, map },
      files,
      problems: found,
      ...(technology !== undefined && found.length === 0 && { technology }),
    }
  },
  open: (options) => new PrometheusDriver(options, options.map as unknown as PrometheusMap),
})

class PrometheusDriver implements Driver {
  readonly commands = {}
  missing: readonly string[] = []
  readonly #options: Options
  readonly #map: PrometheusMap
  readonly #reader: MetricReader<Selector>
  readonly #selector: SampleSelector
  readonly #wanted: Set<string>
  readonly #fetch: typeof fetch

  constructor(options: Options, map: PrometheusMap) {
    this.#options = options
    this.#map = map
    this.#reader = new MetricReader(map.metrics, 'from')
    this.#selector = new SampleSelector(options.where)
    this.#wanted = new Set(this.#reader.selectors.map(({ from }) => from))
    if (map.clients) this.#wanted.add(map.clients.from)
    this.#fetch = fetchWith(deviceTls(options.ca_file))
  }

  async read(signal: AbortSignal): Promise<Reading> {
    const texts = await Promise.all(this.#options.urls.map((url) => this.#get(url, signal)))
    const atMs = performance.now()
    const samples = Map.groupBy(
      texts.flatMap((text) => parseMetrics(text, this.#wanted)),
      ({ name }) => name,
    )
    if (samples.size === 0)
      throw new Error(
        'The exporter has none of the metrics of the map. Choose another map, or correct its names.',
      )
    const missing = new Set<string>()
    let isSelected = false
    const select = (selector: Selector) => {
      const found = this.#selector.select(samples, selector)
      if (found.length > 0) isSelected = true
      else missing.add(`${selector.from} (${samples.has(selector.from) ? excluded : notPrinted})`)
      return seriesOf(found)
    }
    const readings = this.#reader.read(select, atMs)
    const clients = this.#clients(samples)
    this.missing = [...missing]
    // A list of clients may be empty.
    if (!isSelected && clients === undefined && Object.keys(readings).length === 0)
      throw new Error(this.#nothing(samples))
    return { readings, ...(clients && { clients }) }
  }

  close(): void {}

  /** Why nothing is selected, with the values that the exporter has for the labels of `where`. */
  #nothing(samples: ReadonlyMap<string, readonly PrometheusSample[]>): string {
    const all = [...samples.values()].flat()
    const labels = Object.keys(this.#options.where ?? {}).map((label) => {
      const values = new Set(all.flatMap((sample) => sample.labels[label]?.slice(0, maxValueLength) ?? []))
      return ` The exporter has ${label}: ${[...values].slice(0, maxShown).join(', ')}.`
    })
    const names = this.missing.slice(0, maxShown).join(', ')
    return `The map selects no samples: ${names}.${labels.join('')} Correct labels of the map, or where.`
  }

  /** An exporter has no samples of clients if there are none. */
  #clients(samples: ReadonlyMap<string, readonly PrometheusSample[]>): AttachedClient[] | undefined {
    const { clients } = this.#map
    if (!clients) return undefined
    const found = this.#selector.select(samples, clients)
    return found.slice(0, maxClients).flatMap(({ labels, value }) => {
      const client = labels[clients.client]
      if (client === undefined || client === '' || client.length > 128) return []
      return [{ client, ...(clients.is_signal_dbm && { signal_dbm: value }) }]
    })
  }

  async #get(url: string, signal: AbortSignal): Promise<string> {
    const response = await request(
      this.#fetch,
      url,
      { headers: this.#headers(), signal },
      'Check the address, and that the exporter runs.',
    )
    if (!response.ok) {
      await response.body?.cancel()
      const next = [401, 403].includes(response.status) ? 'Check its credentials.' : 'Check the path.'
      throw new Error(`${shown(url)} answered with status ${response.status}. ${next}`)
    }
    return boundedText(response, maxBodyMib)
  }

  #headers(): Record<string, string> {
    const { bearer_token: token, username, password = '' } = this.#options
    const accept = { accept: 'text/plain;version=0.0.4' }
    if (token !== undefined) return { ...accept, authorization: `Bearer ${token}` }
    if (username === undefined) return accept
    return {
      ...accept,
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    }
  }
}
