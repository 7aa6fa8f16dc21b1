import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** A device that accepts connections and never answers. */
export class SilentDevice {
  connections = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor() {
    this.#server = createServer((socket) => {
      this.connections += 1
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  static async start(): Promise<SilentDevice> {
    const device = new SilentDevice()
    await new Promise<void>((resolve) => device.#server.listen(0, '127.0.0.1', resolve))
    return device
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
