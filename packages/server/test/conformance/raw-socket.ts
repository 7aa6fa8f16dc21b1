import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { ConformanceEnvironment } from './environment.ts'

const maxWaitMs = 15_000

/** A client of a job as the interface describes it: without a subprotocol, it reads arrays. */
export class RawSocket {
  readonly #socket: WebSocket
  readonly #received: unknown[] = []
  #closeCode: number | undefined

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => this.#received.push(JSON.parse((data as Buffer).toString())))
    socket.on('close', (code) => (this.#closeCode = code))
  }

  /** Rejects if the server refuses the connection. */
  static async open({ url, adminToken }: ConformanceEnvironment, jobNumber: string): Promise<RawSocket> {
    const address = `${url.replace('http', 'ws')}/api/v1/callback/agent_data/ws/${jobNumber}`
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${adminToken}` } })
    const client = new RawSocket(socket)
    await once(socket, 'open', { signal: AbortSignal.timeout(maxWaitMs) })
    return client
  }

  /** The array with this number, from 1. */
  async message(number: number): Promise<unknown> {
    const signal = AbortSignal.timeout(maxWaitMs)
    while (this.#received.length < number) await once(this.#socket, 'message', { signal })
    return this.#received[number - 1]
  }

  close(): void {
    this.#socket.terminate()
  }

  /** The code with which the server closes the connection. */
  async closeCode(): Promise<number | undefined> {
    if (this.#closeCode === undefined)
      await once(this.#socket, 'close', { signal: AbortSignal.timeout(maxWaitMs) })
    return this.#closeCode
  }
}
