import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP proxy that can stop forwarding: its connections stay open, and no data passes any more. */
export class TcpProxy {
  readonly #server: Server
  readonly #ends: Socket[] = []

  private constructor(port: number) {
    this.#server = createServer((near) => {
      const far = connect(port, '127.0.0.1')
      this.#ends.push(near, far)
      for (const end of [near, far]) end.on('error', () => {})
      near.pipe(far)
      far.pipe(near)
    })
  }

  static async to(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(Number(new URL(url).port))
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Stops forwarding on all open connections. New ones are forwarded. */
  freeze(): void {
    for (const end of this.#ends) {
      end.unpipe()
      end.pause()
    }
  }

  close(): void {
    for (const end of this.#ends) end.destroy()
    this.#server.close()
  }
}
