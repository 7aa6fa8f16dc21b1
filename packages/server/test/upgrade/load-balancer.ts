import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface Replica {
  address: URL
  readyUrl: string
  isReady: boolean
}

const checkIntervalMs = 500
const connectTimeoutMs = 2000

/** Distributes connections over the replicas whose `/readyz` answers 200, like HAProxy in TCP mode. */
export class LoadBalancer {
  readonly #replicas: Replica[] = []
  readonly #server: Server
  #turn = 0
  readonly #closing = new AbortController()

  private constructor() {
    this.#server = createServer((client) => this.#forward(client))
  }

  static async listen(port = 0): Promise<LoadBalancer> {
    const balancer = new LoadBalancer()
    await new Promise<void>((resolve, reject) => {
      balancer.#server.once('error', reject)
      balancer.#server.listen(port, '127.0.0.1', resolve)
    })
    void balancer.#check()
    return balancer
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  add(url: string): void {
    this.#replicas.push({ address: new URL(url), readyUrl: `${url}/readyz`, isReady: true })
  }

  /** New connections go to others; existing ones stay. */
  remove(url: string): void {
    const at = this.#replicas.findIndex(({ address }) => address.href === new URL(url).href)
    if (at >= 0) this.#replicas.splice(at, 1)
  }

  close(): void {
    this.#closing.abort()
    this.#server.close()
  }

  async #check(): Promise<void> {
    for (; !this.#closing.signal.aborted; await sleep(checkIntervalMs))
      await Promise.all(
        this.#replicas.map(async (replica) => {
          const response = await fetch(replica.readyUrl, { signal: AbortSignal.timeout(5000) }).catch(
            () => undefined,
          )
          replica.isReady = response?.ok === true
        }),
      )
  }

  #forward(client: Socket): void {
    client.on('error', () => {})
    const ready = this.#replicas.filter(({ isReady }) => isReady)
    const replica = ready[this.#turn++ % ready.length]
    if (!replica) return void client.destroy()
    const { hostname, port } = replica.address
    const server = connect({ host: hostname, port: Number(port), timeout: connectTimeoutMs })
    server.once('connect', () => server.setTimeout(0))
    server.once('timeout', () => server.destroy())
    server.on('error', () => {})
    server.on('close', () => client.destroy())
    client.on('close', () => server.destroy())
    client.pipe(server).pipe(client)
  }
}
