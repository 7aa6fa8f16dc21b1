import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chunk } from './handlers.ts'

interface Delivery {
  jobNumber: string
  callback: string
  lease: string
  chunk: Chunk
  signal: AbortSignal
}

/** Headers by which our own subscriber says more about a post than others can. */
export const workHeaders = { lease: 'manc-lease', cursor: 'manc-cursor', final: 'manc-final' } as const

const attempts = 6
const firstWaitMs = 100
const answerWithinMs = 15_000
/** A reader that is there empties its mailbox within moments. */
const fullWaitMs = 100
const fullAttempts = 30

/** Posts results to the callbacks, as anybody would, with a short-lived token of our own. */
export class Courier {
  readonly #url: () => string
  readonly #newToken: () => Promise<string>
  #token: { text: Promise<string>; until: number } | undefined

  constructor(parts: { url: () => string; newToken: () => Promise<string>; tokenLivesForS: number }) {
    this.#url = parts.url
    this.#newToken = parts.newToken
    this.#tokenLivesForMs = parts.tokenLivesForS * 1000
  }

  readonly #tokenLivesForMs: number

  /** The post with its key is the same each time: however often it is sent, it is delivered once. */
  async deliver(delivery: Delivery): Promise<'delivered' | 'lease lost' | 'mailbox full'> {
    const key = randomUUID()
    let waitMs = firstWaitMs
    let full = 0
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#post(delivery, key).catch((error: unknown) => error as Error)
      if (answer instanceof Response) {
        if (answer.ok) return 'delivered'
        if (answer.status === 409) return 'lease lost'
        if (answer.status === 429) {
          if (++full >= fullAttempts) return 'mailbox full'
          await sleep(fullWaitMs, undefined, { signal: delivery.signal })
          attempt -= 1
          continue
        }
        if (answer.status === 401) this.#token = undefined
        else if (answer.status < 500) throw new Error(`the callback answered ${answer.status}`)
      }
      if (attempt >= attempts)
        throw new Error('the callback did not take the result', {
          cause: answer instanceof Response ? answer.status : answer,
        })
      await sleep(waitMs * (0.5 + Math.random()), undefined, { signal: delivery.signal })
      waitMs *= 2
    }
  }

  async #post({ jobNumber, callback, lease, chunk }: Delivery, key: string): Promise<Response> {
    const url = `${this.#url()}/api/v1/callback/${callback}?job_number=${encodeURIComponent(jobNumber)}`
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await this.#bearer()}`,
        'content-type': 'application/json',
        'idempotency-key': key,
        [workHeaders.lease]: lease,
        // A header has no characters beyond Latin-1.
        [workHeaders.cursor]: encodeURIComponent(chunk.cursor),
        ...(chunk.isLast && { [workHeaders.final]: 'true' }),
      },
      body: chunk.items,
      signal: AbortSignal.timeout(answerWithinMs),
    })
    await answer.arrayBuffer()
    return answer
  }

  #bearer(): Promise<string> {
    if (!this.#token || Date.now() > this.#token.until)
      this.#token = { text: this.#newToken(), until: Date.now() + this.#tokenLivesForMs / 2 }
    return this.#token.text
  }
}
