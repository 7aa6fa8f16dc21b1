import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** A WebSocket server that answers as a test says: see README.md. */
export class RanSocket {
  readonly received: Record<string, any>[] = []
  /** Connections since the start. */
  accepted = 0
  readonly #server: WebSocketServer

  private constructor(
    greeting: object | undefined,
    answer: (message: any, socket: WebSocket) => object | undefined,
  ) {
    this.#server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    this.#server.on('connection', (socket) => {
      this.accepted += 1
      if (greeting) socket.send(JSON.stringify(greeting))
      socket.on('message', (data) => {
        const message = JSON.parse((data as Buffer).toString('utf8'))
        this.received.push(message)
        const reply = answer(message, socket)
        if (reply) socket.send(JSON.stringify(reply))
      })
    })
  }

  static async start(
    greeting: object | undefined,
    answer: (message: any, socket: WebSocket) => object | undefined,
  ): Promise<RanSocket> {
    const peer = new RanSocket(greeting, answer)
    await new Promise<void>((resolve) => peer.#server.once('listening', resolve))
    return peer
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Connections that are open. */
  get connections(): number {
    return this.#server.clients.size
  }

  dropConnections(): void {
    for (const client of this.#server.clients) client.terminate()
  }

  async stop(): Promise<void> {
    this.dropConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
