import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Span, Tracing } from '../../tracing.ts'
import type { Chunk } from './handlers.types.ts'

interface Delivery {
  jobNumber: string
  callback: string
  lease: string
  chunk: Chunk
  signal: AbortSignal
}

/** Headers with which our own worker adds its lease and progress. They count with a service token only. */
export const workHeaders = { lease: 'manc-lease', cursor: 'manc-cursor', final: 'manc-final' } as const

const maxAttempts = 6
const firstWaitMs = 100
const responseWithinMs = 15_000

/** Posts results to the public callbacks, with a short-lived service token. */
export class CallbackClient {
  readonly #url: () => string
  readonly #newToken: () => Promise<string>
  readonly #tokenLivesForMs: number
  readonly #tracing: Tracing
  #token: { text: Promise<string>; until: number } | undefined

  constructor(options: {
    url: () => string
    newToken: () => Promise<string>
    tokenLivesForS: number
    tracing: Tracing
  }) {
    this.#url = options.url
    this.#newToken = options.newToken
    this.#tokenLivesForMs = options.tokenLivesForS * 1000
    this.#tracing = options.tracing
  }

  /** Every attempt has the same idempotency key: however often it is sent, the chunk is delivered once. */
  async deliver(delivery: Delivery): Promise<'delivered' | 'lease lost' | 'mailbox full'> {
    const key = randomUUID()
    let waitMs = firstWaitMs
    for (let attempt = 1; ; attempt++) {
      const response = await this.#post(delivery, key, attempt).catch((error: unknown) => error as Error)
      if (response instanceof Response) {
        if (response.ok) return 'delivered'
        if (response.status === 409) return 'lease lost'
        if (response.status === 429) return 'mailbox full'
        if (response.status === 401) this.#token = undefined
        else if (response.status < 500) throw new Error(`the callback responded with ${response.status}`)
      }
      if (attempt >= maxAttempts)
        throw new Error('the callback did not accept the result', {
          cause: response instanceof Response ? response.status : response,
        })
      await sleep(waitMs * (0.5 + Math.random()), undefined, { signal: delivery.signal })
      waitMs *= 2
    }
  }

  #post(delivery: Delivery, key: string, attempt: number): Promise<Response> {
    const route = `/api/v1/callback/${delivery.callback}`
    const { hostname, port } = new URL(this.#url())
    const attributes = {
      'http.request.method': 'POST',
      'url.template': route,
      'server.address': hostname,
      ...(port !== '' && { 'server.port': Number(port) }),
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    }
    return this.#tracing.withSpan({ name: `POST ${route}`, kind: 'client', attributes }, async (span) => {
      const response = await this.#fetch(route, delivery, key, span)
      span?.set({ 'http.response.status_code': response.status })
      if (!response.ok) span?.fail(String(response.status))
      return response
    })
  }

  async #fetch(
    route: string,
    { jobNumber, lease, chunk }: Delivery,
    key: string,
    span: Span | undefined,
  ): Promise<Response> {
    const response = await fetch(`${this.#url()}${route}?job_number=${encodeURIComponent(jobNumber)}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await this.#bearer()}`,
        'content-type': 'application/json',
        'idempotency-key': key,
        [workHeaders.lease]: lease,
        // Headers are limited to Latin-1.
        [workHeaders.cursor]: encodeURIComponent(chunk.cursor),
        ...(span && { traceparent: span.traceparent }),
        ...(chunk.isLast && { [workHeaders.final]: 'true' }),
      },
      body: chunk.items,
      signal: AbortSignal.timeout(responseWithinMs),
      // A redirect is an error: the token and the result are for this address only.
      redirect: 'manual',
    })
    await response.arrayBuffer()
    return response
  }

  #bearer(): Promise<string> {
    if (!this.#token || Date.now() > this.#token.until)
      this.#token = { text: this.#newToken(), until: Date.now() + this.#tokenLivesForMs / 2 }
    return this.#token.text
  }
}
