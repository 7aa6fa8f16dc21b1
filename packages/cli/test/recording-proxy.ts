import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** Stands before a controller, passes everything on, and notes the requests (`METHOD /path`) that succeeded. */
export class RecordingProxy {
  readonly succeeded: Set<string>
  readonly #target: URL
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(target: string, succeeded = new Set<string>()) {
    this.succeeded = succeeded
    this.#target = new URL(target)
    this.#server = createServer((incoming, reply) => {
      const { method = 'GET', headers, url = '/' } = incoming
      const onward = request(new URL(url, this.#target), { method, headers }, (answer) => {
        if (answer.statusCode === 200) this.succeeded.add(`${method} ${url.split('?')[0]}`)
        reply.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(reply)
      })
      onward.on('error', () => reply.destroy())
      incoming.pipe(onward)
    })
    this.#server.on('upgrade', (incoming, socket: Socket, head) => {
      const onward = connect(Number(this.#target.port), this.#target.hostname, () => {
        const lines = incoming.rawHeaders.flatMap((name, n, all) =>
          n % 2 === 0 ? [`${name}: ${all[n + 1]}`] : [],
        )
        onward.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
        onward.write(head)
        onward.pipe(socket).pipe(onward)
      })
      for (const each of [onward, socket]) {
        this.#sockets.add(each)
        each.on('error', () => each.destroy())
      }
    })
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
