import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Puts series into the metrics store past the ingester, readable at once. */
export class MetricsStore {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** As the ingester writes them; `at` is in milliseconds. */
  async write(apId: string, samples: { at: number; metrics: Record<string, number> }[]): Promise<void> {
    const lines = samples.map(({ at, metrics }) => {
      const fields = Object.entries(metrics).map(([name, value]) => `${name}=${value}`)
      return `agent/${apId}/data,ap_id=${apId} ${fields.join(',')} ${at}\n`
    })
    await this.#post('/write?precision=ms', lines.join(''))
  }

  /** Of any name, past the rules of the line protocol. */
  async load(apId: string, name: string, at: number, value: number): Promise<void> {
    const series = { metric: { __name__: name, ap_id: apId }, values: [value], timestamps: [at] }
    await this.#post('/api/v1/import', JSON.stringify(series))
  }

  /** Also values that are no finite numbers. */
  async loadOdd(apId: string, name: string, points: [at: number, value: number | string][]): Promise<void> {
    const lines = points.map(([at, value]) => `${name}{ap_id="${apId}"} ${value} ${at}\n`)
    await this.#post('/api/v1/import/prometheus', lines.join(''))
  }

  async #post(path: string, body: string): Promise<void> {
    const answer = await fetch(this.#url + path, { method: 'POST', body })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    await (await fetch(`${this.#url}/internal/force_flush`)).text()
  }
}

/** Stands before the store: counts what is asked of it, and can fall silent. */
export class Doorway {
  /** Paths with their queries, as they were asked. */
  readonly asked: string[] = []
  isSilent = false
  readonly #agent = new Agent({ keepAlive: true })
  readonly #server: Server

  constructor(target: string) {
    this.#server = createServer((incoming, reply) => {
      this.asked.push(decodeURIComponent(incoming.url ?? ''))
      if (this.isSilent) return
      const { method = 'GET', headers } = incoming
      const onward = request(target + incoming.url, { method, headers, agent: this.#agent }, (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(reply)
      })
      onward.on('error', () => reply.destroy())
      reply.on('close', () => onward.destroy())
      incoming.pipe(onward)
    })
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#agent.destroy()
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** How often the store was read for an agent. */
  readsOf(apId: string): number {
    return this.asked.filter((path) => path.startsWith('/api/v1/') && path.includes(`"${apId}"`)).length
  }
}
