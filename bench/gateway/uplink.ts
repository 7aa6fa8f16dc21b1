import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

interface Pair {
  near: Socket
  far: Socket
}

/** The network between a gateway and a server. While it is cut, nothing passes and no connection is answered or closed. */
export class Uplink {
  readonly #target: URL
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  readonly #waiting = new Set<Socket>()
  #isCut = false

  private constructor(target: string) {
    this.#target = new URL(target)
    this.#server = createServer({ pauseOnConnect: true }, (near) => {
      near.on('error', () => {})
      if (this.#isCut) this.#waiting.add(near.once('close', () => this.#waiting.delete(near)))
      else this.#join(near)
    })
  }

  static async to(target: string): Promise<Uplink> {
    const uplink = new Uplink(target)
    await new Promise<void>((resolve) => uplink.#server.listen(0, '127.0.0.1', resolve))
    return uplink
  }

  /** In place of that of the server. */
  get url(): string {
    return `${this.#target.protocol}//127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  cut(): void {
    this.#isCut = true
    for (const { near, far } of this.#pairs) {
      near.unpipe(far).pause()
      far.unpipe(near).pause()
    }
  }

  restore(): void {
    this.#isCut = false
    for (const pair of this.#pairs) forward(pair)
    for (const near of this.#waiting) this.#join(near)
    this.#waiting.clear()
  }

  close(): void {
    this.#server.close()
    for (const near of this.#waiting) near.destroy()
    for (const { near } of this.#pairs) near.destroy()
  }

  #join(near: Socket): void {
    const far = connect({ host: this.#target.hostname, port: Number(this.#target.port) })
    const pair = { near, far }
    this.#pairs.add(pair)
    far.on('error', () => {})
    for (const end of [near, far])
      end.once('close', () => {
        near.destroy()
        far.destroy()
        this.#pairs.delete(pair)
      })
    forward(pair)
  }
}

function forward({ near, far }: Pair): void {
  near.pipe(far)
  far.pipe(near)
}
