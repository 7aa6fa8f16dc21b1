import { once } from 'node:events'
import { type EventFrame, eventStreamPath, type NetworkEvent } from '@manc/contract'
import WebSocket from 'ws'

/** A client of the stream of events that records what it receives. */
export class StreamClient {
  readonly socket: WebSocket
  readonly events: NetworkEvent[] = []
  readonly closed: Promise<{ code: number; reason: string }>
  start: Extract<EventFrame, { type: 'start' }> | undefined
  /** To resume with. */
  after: string | undefined

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data) => this.#take(JSON.parse((data as Buffer).toString()) as EventFrame))
    socket.on('error', () => {})
    this.closed = new Promise((resolve) =>
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
    )
  }

  /** Resolves when the stream has started. Throws the status if it is refused. */
  static async open(url: string, token: string, query = ''): Promise<StreamClient> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${eventStreamPath}${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const client = new StreamClient(socket)
    const refused = new Promise<never>((_, reject) =>
      socket.on('unexpected-response', (_request, response) => {
        response.resume()
        reject(new Error(`refused: ${response.statusCode}`))
      }),
    )
    refused.catch(() => {})
    await Promise.race([once(socket, 'message'), refused, client.closed.then(() => undefined)])
    return client
  }

  #take(frame: EventFrame): void {
    this.after = frame.after
    if (frame.type === 'start') this.start = frame
    else this.events.push(...frame.events)
  }
}
