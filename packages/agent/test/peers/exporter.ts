import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An HTTP server with a page of metrics, for values that a test chooses. */
export class Exporter {
  requests = 0
  /** Or what the page has at this request, from 1 on. */
  text: string | ((request: number) => string)
  readonly #server: Server

  private constructor(text: string) {
    this.text = text
    this.#server = createServer((_request, response) => {
      this.requests += 1
      const page = typeof this.text === 'string' ? this.text : this.text(this.requests)
      response.setHeader('content-type', 'text/plain; version=0.0.4').end(page)
    })
  }

  static async start(text: string): Promise<Exporter> {
    const exporter = new Exporter(text)
    await new Promise<void>((resolve) => exporter.#server.listen(0, '127.0.0.1', resolve))
    return exporter
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/metrics`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
