import type { JobMessage, JobNews } from '@manc/contract'
import { JobFailed } from './errors.ts'
import type { Stream } from './stream.ts'

/** The items of a result that arrives in several messages. Throws if the job failed. */
export async function* itemsOf<Item>(messages: AsyncIterable<JobMessage>): Stream<Item> {
  for await (const message of messages) {
    if (message.type === 'state') throwIfFailed(message)
    else yield* message.data as Item[]
  }
}

/** The last message is either the result, or a state with the reason why there is no result. */
function throwIfFailed({ job_number, final, data }: JobMessage): void {
  if (!final) return
  const { state, detail } = data as JobNews
  throw new JobFailed(job_number, state, detail ?? `The job ended as ${state}. Send the request again.`)
}

/** A job in progress and its updates. It can be read once: either by iterating, or with `done()`. */
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

  /** Resolves with the last update. Throws if the job failed. */
  async done(): Promise<News> {
    let last: News | undefined
    for await (const news of this.#news) last = news
    if (last === undefined)
      throw new JobFailed(this.jobNumber, 'read', 'The result was already read. Send the request again.')
    return last
  }
}
