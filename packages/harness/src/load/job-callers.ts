import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Question } from './job-questions.ts'
import { type Envelope, JobReader } from './job-reader.ts'

interface Parts {
  /** Of the replicas. */
  urls: readonly string[]
  token: string
  questions: readonly Question[]
  requestsPerSecond: number
  /** Sockets that are there all the time, each with a mailbox of the caller's own. */
  mailboxes: number
  letterEveryMs: number
}

/** A job that was answered with a number. */
export interface Promised {
  jobNumber: string
  answeredAt: number
  endedAt: number | undefined
  /** Why it failed, as its client was told. */
  failure: string | undefined
  isWrong: boolean
  reader: JobReader
}

interface Mailbox {
  number: string
  /** Letters that were answered with 200. */
  posted: number
  /** Letters that came, in the order in which they came. */
  came: number[]
  reader: JobReader
}

const answerWithinMs = 5000
const askAgainAfterMs = 250
/** An outage is shorter. */
const insistForMs = 30_000

/** Ask for jobs at a steady rate, whatever becomes of those before, and read each to its end. */
export class JobCallers {
  requested = 0
  /** Nobody has promised these anything. */
  unanswered = 0
  readonly jobs: Promised[] = []
  readonly mailboxes: Mailbox[] = []
  /** Everything that was not as on a quiet day, with how often. */
  readonly troubles: Record<string, number> = {}
  readonly #parts: Parts
  readonly #stopping = new AbortController()
  readonly #underWay = new Set<Promise<void>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Resolves when every mailbox has its socket; then requests begin. */
  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#parts.mailboxes }, () => this.#openMailbox()))
    while (this.connected < this.mailboxes.length) await sleep(50)
    for (const mailbox of this.mailboxes) this.#begin(this.#write(mailbox))
    this.#begin(this.#ask())
  }

  /** Mailboxes whose socket is open at this moment. */
  get connected(): number {
    return this.mailboxes.filter(({ reader }) => reader.isConnected).length
  }

  /** No more is asked for or written; resolves when what is under way was answered or given up. */
  async enough(): Promise<void> {
    this.#stopping.abort()
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  get isAllRead(): boolean {
    return (
      this.jobs.every(({ endedAt }) => endedAt !== undefined) &&
      this.mailboxes.every(({ posted, came }) => came.length >= posted)
    )
  }

  close(): void {
    this.#stopping.abort()
    for (const { reader } of [...this.jobs, ...this.mailboxes]) reader.stop()
  }

  #begin(work: Promise<void>): void {
    const underWay = work.finally(() => this.#underWay.delete(underWay))
    this.#underWay.add(underWay)
    // Whoever waits for all of them learns of it.
    underWay.catch(() => {})
  }

  async #ask(): Promise<void> {
    const { questions, requestsPerSecond } = this.#parts
    const startedAt = Date.now()
    while (!this.#stopping.signal.aborted) {
      const due = ((Date.now() - startedAt) / 1000) * requestsPerSecond
      for (; this.requested < due; this.requested++) {
        const question = questions[this.requested % questions.length]
        if (question) this.#begin(this.#request(question))
      }
      await sleep(10)
    }
  }

  async #request({ path, answer }: Question): Promise<void> {
    const body = await this.#insist(path)
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
      else if (!isDeepStrictEqual(items, answer)) job.isWrong = true
      items.length = 0
    }
    const job: Promised = {
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
    if (!(await this.#postLetter(number, 1))) throw new Error('a mailbox could not be opened')
    const came: number[] = []
    const reader = this.#reader(number, ({ data }) => came.push((data as [{ n: number }])[0].n))
    this.mailboxes.push({ number, posted: 1, came, reader })
  }

  /** One letter after the other: the number of a letter is the `seq` that it gets. */
  async #write(mailbox: Mailbox): Promise<void> {
    const { signal } = this.#stopping
    const { letterEveryMs } = this.#parts
    await pause(letterEveryMs * Math.random(), signal)
    while (!signal.aborted) {
      // After one that was given up nobody knows which number the next would get.
      if (!(await this.#postLetter(mailbox.number, mailbox.posted + 1)))
        throw new Error('a letter was not taken in time')
      mailbox.posted += 1
      await pause(letterEveryMs, signal)
    }
  }

  async #postLetter(number: string, n: number): Promise<boolean> {
    return (await this.#insist(`/api/v1/callback/agent_data?job_number=${number}`, [{ n }])) !== undefined
  }

  #reader(jobNumber: string, received: (envelope: Envelope) => void): JobReader {
    const { urls, token } = this.#parts
    return new JobReader({ urls, token, jobNumber, received, lost: (why) => this.#note(`socket: ${why}`) })
  }

  /** Asks this replica and that until one has answered: with its key it is the same request each time. */
  async #insist(path: string, content?: unknown): Promise<Record<string, unknown> | undefined> {
    const { urls } = this.#parts
    const key = randomUUID()
    const until = Date.now() + insistForMs
    for (let turn = Math.floor(Math.random() * 2); Date.now() < until; turn++) {
      const answer = await this.#post(`${urls[turn % urls.length]}${path}`, key, content)
      if (typeof answer === 'object') return answer
      this.#note(`request: ${answer}`)
      await sleep(askAgainAfterMs * (1 + Math.random()))
    }
    return undefined
  }

  /** The body of an answer with 200, or why there is none. */
  async #post(url: string, key: string, content: unknown): Promise<Record<string, unknown> | string> {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.#parts.token}`,
          'idempotency-key': key,
          ...(content !== undefined && { 'content-type': 'application/json' }),
        },
        ...(content !== undefined && { body: JSON.stringify(content) }),
        signal: AbortSignal.timeout(answerWithinMs),
      })
      const text = await answer.text()
      return answer.status === 200 ? (JSON.parse(text) as Record<string, unknown>) : String(answer.status)
    } catch (error) {
      const { name, cause } = error as Error
      return (cause as NodeJS.ErrnoException | undefined)?.code ?? name
    }
  }

  #note(trouble: string): void {
    this.troubles[trouble] = (this.troubles[trouble] ?? 0) + 1
  }
}

/** Less where it is stopped. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
