import { type AddressInfo, connect, type Socket } from 'node:net'
import { createServer, type Server } from 'node:tls'
import type { Certificate } from './certificates.ts'

/** Terminates TLS in front of a server, like a reverse proxy. */
export class TlsProxy {
  readonly #server: Server
  readonly #ends = new Set<Socket>()

  private constructor(port: number, { cert, key }: Certificate, clientCa: string | undefined) {
    const clients = clientCa !== undefined && { ca: clientCa, requestCert: true, rejectUnauthorized: true }
    this.#server = createServer({ cert, key, ...clients }, (near) => {
      const far = connect(port, '127.0.0.1')
      for (const end of [near, far]) {
        this.#ends.add(end)
        end.on('error', () => {})
        end.once('close', () => {
          this.#ends.delete(end)
          near.destroy()
          far.destroy()
        })
      }
      near.pipe(far)
      far.pipe(near)
    })
    this.#server.on('tlsClientError', () => {})
  }

  /** With the CA of clients, only those with a certificate are accepted. */
  static async to(url: string, certificate: Certificate, clientCa?: string): Promise<TlsProxy> {
    const proxy = new TlsProxy(Number(new URL(url).port), certificate, clientCa)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `https://localhost:${this.port}`
  }

  async close(): Promise<void> {
    for (const end of this.#ends) end.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
