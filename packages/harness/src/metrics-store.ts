import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { measurementOf } from '@manc/contract'

/** Writes series into the metrics store without the ingester. A written point is readable when the call returns. */
export class MetricsStore {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** In the ingester's format; `at` is in milliseconds. */
  async write(apId: string, samples: { at: number; metrics: Record<string, number> }[]): Promise<void> {
    const lines = samples.map(({ at, metrics }) => {
      const fields = Object.entries(metrics).map(([name, value]) => `${name}=${value}`)
      return `${measurementOf(apId)},ap_id=${apId} ${fields.join(',')} ${at}\n`
    })
    await this.#post('/write?precision=ms', lines.join(''))
  }

  /** One point of a metric with any name, also one that the line protocol cannot express. */
  async load(apId: string, name: string, at: number, value: number): Promise<void> {
    const series = { metric: { __name__: name, ap_id: apId }, values: [value], timestamps: [at] }
    await this.#post('/api/v1/import', JSON.stringify(series))
  }

  /** Points with any value, also NaN and infinity. */
  async loadText(apId: string, name: string, points: [at: number, value: number | string][]): Promise<void> {
    const lines = points.map(([at, value]) => `${name}{ap_id="${apId}"} ${value} ${at}\n`)
    await this.#post('/api/v1/import/prometheus', lines.join(''))
  }

  async #post(path: string, body: string): Promise<void> {
    const response = await fetch(this.#url + path, { method: 'POST', body })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    await (await fetch(`${this.#url}/internal/force_flush`)).text()
  }
}

/** A proxy in front of the store that records requests, and that can stop answering. */
export class StoreProxy {
  /** Paths with their queries. */
  readonly requests: string[] = []
  isSilent = false
  readonly #agent = new Agent({ keepAlive: true })
  readonly #server: Server

  constructor(target: string) {
    this.#server = createServer((incoming, reply) => {
      this.requests.push(decodeURIComponent(incoming.url ?? ''))
      if (this.isSilent) return
      const { method = 'GET', headers } = incoming
      const onward = request(target + incoming.url, { method, headers, agent: this.#agent }, (response) => {
        reply.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(reply)
      })
      onward.on('error', () => reply.destroy())
      reply.on('close', () => onward.destroy())
      incoming.pipe(onward)
    })
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#agent.destroy()
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** How often the store was queried for an agent. */
  readsOf(apId: string): number {
    return this.requests.filter((path) => path.startsWith('/api/v1/') && path.includes(`"${apId}"`)).length
  }
}
