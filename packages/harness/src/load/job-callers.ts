import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Envelope, JobReader } from './job-reader.ts'
import type { JobRequest } from './job-requests.ts'

interface Options {
  /** Of the replicas. */
  urls: readonly string[]
  token: string
  requests: readonly JobRequest[]
  requestsPerSecond: number
  /** Sockets that stay open, each reading the messages of one job that the caller writes itself. */
  mailboxes: number
  messageIntervalMs: number
}

/** A job whose request was answered with a job number. */
export interface AcceptedJob {
  jobNumber: string
  answeredAt: number
  endedAt: number | undefined
  /** The detail of its last message, where it failed. */
  failure: string | undefined
  isWrong: boolean
  reader: JobReader
}

interface Mailbox {
  number: string
  /** Messages that were answered with 200. */
  posted: number
  /** Messages in the order in which they were received. */
  received: number[]
  reader: JobReader
}

const responseTimeoutMs = 5000
const retryAfterMs = 250
/** Longer than any outage of the suite. */
const retryForMs = 30_000

/** Requests jobs at a steady rate, also while earlier ones are pending, and reads each to its end. */
export class JobCallers {
  requested = 0
  /** Requests without a response: these jobs need not exist. */
  unanswered = 0
  readonly jobs: AcceptedJob[] = []
  readonly mailboxes: Mailbox[] = []
  /** How often each kind of error occurred. */
  readonly errors: Record<string, number> = {}
  readonly #options: Options
  readonly #stopping = new AbortController()
  readonly #pending = new Set<Promise<void>>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Resolves when every mailbox has its socket; then requests begin. */
  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.mailboxes }, () => this.#openMailbox()))
    while (this.connected < this.mailboxes.length) await sleep(50)
    for (const mailbox of this.mailboxes) this.#track(this.#write(mailbox))
    this.#track(this.#requestAll())
  }

  /** Mailboxes whose socket is open at this moment. */
  get connected(): number {
    return this.mailboxes.filter(({ reader }) => reader.isConnected).length
  }

  /** Sends no more requests and messages. Resolves when the pending ones were answered or given up. */
  async stopRequests(): Promise<void> {
    this.#stopping.abort()
    while (this.#pending.size > 0) await Promise.all(this.#pending)
  }

  get isAllRead(): boolean {
    return (
      this.jobs.every(({ endedAt }) => endedAt !== undefined) &&
      this.mailboxes.every(({ posted, received }) => received.length >= posted)
    )
  }

  close(): void {
    this.#stopping.abort()
    for (const { reader } of [...this.jobs, ...this.mailboxes]) reader.stop()
  }

  #track(work: Promise<void>): void {
    const pending = work.finally(() => this.#pending.delete(pending))
    this.#pending.add(pending)
    // `stopRequests` awaits them all and reports the error.
    pending.catch(() => {})
  }

  async #requestAll(): Promise<void> {
    const { requests, requestsPerSecond } = this.#options
    const startedAt = Date.now()
    while (!this.#stopping.signal.aborted) {
      const due = ((Date.now() - startedAt) / 1000) * requestsPerSecond
      for (; this.requested < due; this.requested++) {
        const request = requests[this.requested % requests.length]
        if (request) this.#track(this.#request(request))
      }
      await sleep(10)
    }
  }

  async #request({ path, expected }: JobRequest): Promise<void> {
    const body = await this.#postWithRetry(path)
    if (!body) {
      this.unanswered += 1
      return
    }
    const jobNumber = String(body['job_number'])
    const items: unknown[] = []
    const received = ({ type, job_number, final, data }: Envelope) => {
      if (job_number !== jobNumber) job.isWrong = true
      if (type === 'result') items.push(...(data as unknown[]))
      if (!final) return
      job.endedAt ??= Date.now()
      if (type === 'state') job.failure = (data as { detail?: string }).detail ?? ''
      else if (!isDeepStrictEqual(items, expected)) job.isWrong = true
      items.length = 0
    }
    const job: AcceptedJob = {
      jobNumber,
      answeredAt: Date.now(),
      endedAt: undefined,
      failure: undefined,
      isWrong: false,
      reader: this.#reader(jobNumber, received),
    }
    this.jobs.push(job)
  }

  async #openMailbox(): Promise<void> {
    const number = randomUUID()
    if (!(await this.#postMessage(number, 1)))
      throw new Error('the first message of a mailbox was not accepted')
    const received: number[] = []
    const reader = this.#reader(number, ({ data }) => received.push((data as [{ n: number }])[0].n))
    this.mailboxes.push({ number, posted: 1, received, reader })
  }

  /** One message after the other, so that `n` equals the `seq` that the server assigns. */
  async #write(mailbox: Mailbox): Promise<void> {
    const { signal } = this.#stopping
    const { messageIntervalMs } = this.#options
    await pause(messageIntervalMs * Math.random(), signal)
    while (!signal.aborted) {
      // After a message without a response the `seq` of the next one is unknown.
      if (!(await this.#postMessage(mailbox.number, mailbox.posted + 1)))
        throw new Error('a message was not accepted in time')
      mailbox.posted += 1
      await pause(messageIntervalMs, signal)
    }
  }

  async #postMessage(number: string, n: number): Promise<boolean> {
    return (
      (await this.#postWithRetry(`/api/v1/callback/agent_data?job_number=${number}`, [{ n }])) !== undefined
    )
  }

  #reader(jobNumber: string, received: (envelope: Envelope) => void): JobReader {
    const { urls, token } = this.#options
    return new JobReader({
      urls,
      token,
      jobNumber,
      received,
      lost: (why) => this.#countError(`socket: ${why}`),
    })
  }

  /** Retries on alternating replicas until one has answered. The idempotency key makes it one request. */
  async #postWithRetry(path: string, content?: unknown): Promise<Record<string, unknown> | undefined> {
    const { urls } = this.#options
    const key = randomUUID()
    const until = Date.now() + retryForMs
    for (let turn = Math.floor(Math.random() * 2); Date.now() < until; turn++) {
      const response = await this.#post(`${urls[turn % urls.length]}${path}`, key, content)
      if (typeof response === 'object') return response
      this.#countError(`request: ${response}`)
      await sleep(retryAfterMs * (1 + Math.random()))
    }
    return undefined
  }

  /** The body of a response with 200, or the error. */
  async #post(url: string, key: string, content: unknown): Promise<Record<string, unknown> | string> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.#options.token}`,
          'idempotency-key': key,
          ...(content !== undefined && { 'content-type': 'application/json' }),
        },
        ...(content !== undefined && { body: JSON.stringify(content) }),
        signal: AbortSignal.timeout(responseTimeoutMs),
      })
      const text = await response.text()
      return response.status === 200 ? (JSON.parse(text) as Record<string, unknown>) : String(response.status)
    } catch (error) {
      const { name, cause } = error as Error
      return (cause as NodeJS.ErrnoException | undefined)?.code ?? name
    }
  }

  #countError(kind: string): void {
    this.errors[kind] = (this.errors[kind] ?? 0) + 1
  }
}

/** Returns early when the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
