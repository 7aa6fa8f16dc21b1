import type { Job, JobKind, JobMessage, JobNews, JobState } from '@manc/contract'
import { JobFailed } from './errors.ts'
import { type ReadOptions, readJob } from './socket.ts'
import type { Stream } from './stream.ts'
import type { CallOptions, Transport } from './transport.ts'

interface JobsWanted {
  parent?: string
  /** Any where none is named. */
  kind?: JobKind[]
  state?: JobState[]
  pageSize?: number
}

/** What was asked for, and what has become of it. */
export class Jobs {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  get(jobNumber: string, options?: CallOptions): Promise<Job> {
    return this.#transport.call('getJob', { params: { job_number: jobNumber } }, options)
  }

  /** Mine, the newest first; of `parent`, its parts. `pageSize` is how many are asked for at once. */
  list({ parent, kind, state, pageSize = 1000, ...options }: JobsWanted & CallOptions = {}): Stream<Job> {
    return this.#transport.pages('listJobs', { parent, kind, state, limit: pageSize }, options)
  }

  /** Whatever comes on its socket. */
  read(jobNumber: string, options?: ReadOptions): Stream<JobMessage> {
    return readJob(this.#transport, jobNumber, options)
  }
}

/** The items of a result that comes in several messages. Throws where the job failed. */
export async function* itemsOf<Item>(messages: AsyncIterable<JobMessage>): Stream<Item> {
  for await (const message of messages) {
    if (message.type === 'state') failIfEnded(message)
    else yield* message.data as Item[]
  }
}

/** A job ends with its result, or with a word on why there is none. */
function failIfEnded({ job_number, final, data }: JobMessage): void {
  if (!final) return
  const { state, detail } = data as JobNews
  throw new JobFailed(job_number, state, detail ?? `The job ended as ${state}. Ask again.`)
}

/** A job under way: what becomes of it, as it happens. Read it once: by iterating, or by waiting for the end. */
export class RunningJob<News> implements AsyncIterable<News> {
  readonly jobNumber: string
  readonly #news: Stream<News>

  constructor(jobNumber: string, news: Stream<News>) {
    this.jobNumber = jobNumber
    this.#news = news
  }

  [Symbol.asyncIterator](): Stream<News> {
    return this.#news
  }

  /** The last word. Throws where the job failed. */
  async done(): Promise<News> {
    let last: News | undefined
    for await (const news of this.#news) last = news
    if (last === undefined)
      throw new JobFailed(this.jobNumber, 'read', 'Its result was read before. Ask again for another.')
    return last
  }
}
