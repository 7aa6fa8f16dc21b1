import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedWebhook {
  /** Header `x-manc-delivery`: the same in every attempt. */
  id: string
  atMs: number
  body: string
}

/** A receiver of notifications that keeps every request, also those that it refuses. */
export interface WebhookInbox {
  url: string
  readonly received: readonly ReceivedWebhook[]
  /** The status of its responses. */
  status: number
  stop(): Promise<void>
}

export async function startWebhookInbox(): Promise<WebhookInbox> {
  const received: ReceivedWebhook[] = []
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { 'x-manc-delivery': id } = request.headers
      received.push({ id: String(id), atMs: Date.now(), body: Buffer.concat(chunks).toString() })
      reply.writeHead(inbox.status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const inbox: WebhookInbox = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    status: 200,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return inbox
}
