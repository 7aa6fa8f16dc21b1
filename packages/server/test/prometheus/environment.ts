import { request } from 'node:http'
import { createEnvironment, TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { environmentTest } from '@manc/harness/fixture'
import { MetricsStore } from '@manc/harness/metrics-store'
import { inject } from 'vitest'

export const base = '/api/v1/prometheus/api/v1'

export interface Reply {
  status: number
  text: string
}

/** Ids and metrics of this file only: other suites write to the same store. */
const run = `p${Date.now().toString(36)}${process.pid.toString(36)}`

/** Values that are found nowhere else, and whose sum with another is found too. */
export const seen = { apId: `${run}-emu-wifi-1`, clients: 11_011, rssi: 22_022 }
export const hidden = { apId: `${run}-emu-5g-1`, clients: 770_077, secret: 880_088 }
/** The names of the metrics. */
export const metrics = { clients: `${run}_clients`, rssi: `${run}_rssi`, secret: `${run}_hidden` }
export const pattern = `${run}-emu-wifi-*`
/** Of both agents. */
export const both = `${run}-emu-.*`

/** The newest of the stored samples, in seconds: a minute before the start. */
export const storedAtS = Math.floor(Date.now() / 1000) - 60

/** A path with a result of some 300 kB for each of the series, which the store calculates: no samples are needed. */
export function largeQuery(series: number): string {
  const each = Array.from({ length: series }, (_, n) => `f("${n}")`)
  const parameters = new URLSearchParams({
    query: `WITH (f(x) = label_set(1.234567890123456, "n", x)) (${each.join()})`,
    start: String(storedAtS - 11_000),
    end: String(storedAtS),
    step: '1',
  })
  return `${base}/query_range?${parameters.toString()}`
}

/** A server, two agents with samples in the store, and an app that may see one of them. */
export class PrometheusEnvironment extends TestEnvironment {
  readonly store = new MetricsStore(this.engines.victoria)
  readonly app = { name: uniqueName('grafana'), key: uniqueName('key') }
  appToken = ''

  static async open(variables: Record<string, string> = {}): Promise<PrometheusEnvironment> {
    const made = await createEnvironment(inject('engines'), variables)
    const environment = new PrometheusEnvironment(made.engines, made.variables, () => made.drop())
    await environment.serve()
    await environment.#store()
    environment.appToken = await environment.createApp(environment.app, {
      scopes: ['metrics:read', 'history:read'],
      agents: [pattern],
    })
    return environment
  }

  /** Registers an app and returns its token. */
  async createApp({ name, key }: { name: string; key: string }, permissions: object): Promise<string> {
    const { status } = await this.request('POST', '/api/v1/third_party_apps/', {
      app_name: name,
      api_key: key,
      permissions,
    })
    if (status !== 200) throw new Error(`registering an app: ${status}`)
    return tokenOf(this.url, 'third_party_app', name, key)
  }

  /** Sends the path as it is: `fetch` would resolve dots. */
  send(
    method: string,
    path: string,
    {
      authorization = `Bearer ${this.appToken}`,
      form,
      localAddress,
    }: { authorization?: string | null; form?: string; localAddress?: string } = {},
  ): Promise<Reply> {
    const { hostname, port } = new URL(this.url)
    return new Promise((resolve, reject) => {
      const options = {
        hostname,
        port,
        method,
        path,
        agent: false as const,
        ...(localAddress && { localAddress }),
      }
      const sent = request(options, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', reject)
      })
      sent.on('error', reject)
      if (authorization !== null) sent.setHeader('authorization', authorization)
      if (form !== undefined) sent.setHeader('content-type', 'application/x-www-form-urlencoded')
      sent.end(form)
    })
  }

  /** As JSON; throws on an error. */
  async data(path: string, parameters: Record<string, string>, token = this.appToken): Promise<any> {
    const query = new URLSearchParams(parameters).toString()
    const { status, text } = await this.send('GET', `${base}/${path}?${query}`, {
      authorization: `Bearer ${token}`,
    })
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    return JSON.parse(text).data
  }

  async #store(): Promise<void> {
    const times = [3, 2, 1, 0].map((n) => (storedAtS - 60 * n) * 1000)
    const samples = (values: Record<string, number>) => times.map((at) => ({ at, metrics: values }))
    await this.store.write(seen.apId, samples({ [metrics.clients]: seen.clients, [metrics.rssi]: seen.rssi }))
    await this.store.write(
      hidden.apId,
      samples({ [metrics.clients]: hidden.clients, [metrics.secret]: hidden.secret }),
    )
  }
}

export const test = environmentTest(({ variables }) => PrometheusEnvironment.open(variables))
