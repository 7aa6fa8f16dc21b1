import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A way to a server that can die without a word: connections stay open, and nothing passes any more. */
export class Link {
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

  static async to(url: string): Promise<Link> {
    const link = new Link(Number(new URL(url).port))
    await new Promise<void>((resolve) => link.#server.listen(0, '127.0.0.1', resolve))
    return link
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** All connections that there are; the next ones are well. */
  die(): void {
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
