import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

/** A syslog server that discards what it receives. */
export class Syslog {
  readonly port: number
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined

  constructor(port: number) {
    this.port = port
  }

  async start(): Promise<void> {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => this.#sockets.delete(socket))
      socket.resume()
    })
    await once(this.#server.listen(this.port, '127.0.0.1'), 'listening')
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}
