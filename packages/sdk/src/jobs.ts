import type { JobMessage, JobResult } from '@manc/contract'
import { JobsMethods } from './generated/methods.ts'
import { type ReadOptions, readJob } from './socket.ts'
import type { Stream } from './stream.ts'
import type { PageOptions } from './transport.ts'

export class Jobs extends JobsMethods {
  /** All messages on the job's socket. */
  read(jobNumber: string, options?: ReadOptions): Stream<JobMessage> {
    return readJob(this.transport, jobNumber, options)
  }

  /**
   * The messages of a job again, also those that were delivered. Delivers nothing and changes nothing. `data` is null if a
   * message was not kept; `detail` says why. Read page by page while you iterate.
   */
  results(
    jobNumber: string,
    { after, pageSize = 100, ...options }: PageOptions & { after?: number } = {},
  ): Stream<JobResult> {
    const query = { limit: pageSize, ...(after !== undefined && { after }) }
    return this.transport.pages('listJobResults', query, options, { job_number: jobNumber })
  }
}
