import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Alert {
  status: string
  labels: Record<string, string>
  annotations: Record<string, string>
  startsAt: string
  endsAt: string
  fingerprint: string
}

export interface Received {
  headers: IncomingHttpHeaders
  /** As it was sent. */
  text: string
  body: {
    version: string
    status: string
    receiver: string
    groupKey: string
    truncatedAlerts: number
    groupLabels: Record<string, string>
    commonLabels: Record<string, string>
    alerts: Alert[]
  }
}

/** A receiver of webhooks. */
export class Hook {
  readonly received: Received[] = []
  /** Answers a request. It may leave it open. */
  answer: (response: ServerResponse, count: number) => void = (response) => void response.end()
  readonly #server: Server

  constructor() {
    this.#server = createServer((request, response) => {
      // A request that is interrupted is none.
      text(request).then(
        (sent) => {
          this.received.push({
            headers: request.headers,
            text: sent,
            body: JSON.parse(sent) as Received['body'],
          })
          this.answer(response, this.received.length)
        },
        () => {},
      )
    })
  }

  async open(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Access points of the alerts with this status, in each request. */
  agents(status: 'firing' | 'resolved'): string[][] {
    return this.received
      .map(({ body }) =>
        body.alerts.filter((alert) => alert.status === status).map(({ labels }) => labels['ap_id'] ?? ''),
      )
      .filter((agents) => agents.length > 0)
  }
}

/** As the documentation says that a receiver does. */
export function isSigned({ headers, text: body }: Received, secret: string): boolean {
  const signed = createHmac('sha256', secret).update(`${String(headers['x-manc-timestamp'])}.${body}`)
  return headers['x-manc-signature'] === `v1=${signed.digest('hex')}`
}
