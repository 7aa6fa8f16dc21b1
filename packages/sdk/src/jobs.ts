import type { JobMessage } from '@manc/contract'
import { JobsMethods } from './generated/methods.ts'
import { type ReadOptions, readJob } from './socket.ts'
import type { Stream } from './stream.ts'

export class Jobs extends JobsMethods {
  /** All messages on the job's socket. */
  read(jobNumber: string, options?: ReadOptions): Stream<JobMessage> {
    return readJob(this.transport, jobNumber, options)
  }
}
