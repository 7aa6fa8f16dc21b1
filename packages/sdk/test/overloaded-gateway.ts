import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A gateway in front of a controller. It passes every request on, and replaces the responses that `isLost` selects by
 * 503: the controller has done the work, and the caller cannot tell.
 */
export class OverloadedGateway {
  /** `METHOD /path` of the requests that were passed on. */
  readonly passedOn: string[] = []
  readonly #server: Server

  constructor(target: string, isLost: (route: string) => boolean) {
    this.#server = createServer((incoming, reply) => {
      const { method = 'GET', headers, url = '/' } = incoming
      const route = `${method} ${url.split('?')[0]}`
      this.passedOn.push(route)
      const status = isLost(route) ? 503 : undefined
      const onward = request(new URL(url, target), { method, headers }, (response) => {
        if (status === undefined) {
          reply.writeHead(response.statusCode ?? 502, response.headers)
          response.pipe(reply)
        } else {
          response.resume()
          response.on('end', () => reply.writeHead(status).end())
        }
      })
      onward.on('error', () => reply.destroy())
      incoming.pipe(onward)
    })
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** How often a request was passed on. */
  count(route: string): number {
    return this.passedOn.filter((each) => each === route).length
  }
}
