import type { JobKind } from '@manc/contract'
import type { Postgres } from '../../engines/postgres.ts'
import { Refused } from '../../errors.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { JobService } from './jobs.service.ts'
import type { Job } from './jobs.store.ts'
import type { MessageService } from './messages.service.ts'

/** Ends a job of one kind before its time. Returns what happened, in a sentence. */
export type Canceller = (job: Job, by: Actor) => Promise<string>

const cancelledBefore = 'The job was cancelled before.'

interface Deps {
  postgres: Postgres
  jobs: JobService
  messages: MessageService
}

/** Cancels jobs. Each module registers how to cancel the jobs that its own tables belong to. */
export class CancellationService {
  readonly #deps: Deps
  readonly #cancellers = new Map<JobKind, Canceller>()

  constructor(deps: Deps) {
    this.#deps = deps
    for (const kind of ['agent_data', 'agent_details'] as const)
      this.#cancellers.set(kind, (job, by) => this.#endWork(job, by))
  }

  register(kind: JobKind, canceller: Canceller): void {
    if (this.#cancellers.has(kind))
      throw new Error(`Jobs of the kind ${kind} have two cancellers. Register one of them.`)
    this.#cancellers.set(kind, canceller)
  }

  /** Can be repeated: a job that was cancelled stays as it is. */
  async cancel(jobNumber: string, owner: string, by: Actor): Promise<string> {
    const job = await this.#deps.jobs.get(jobNumber, owner)
    if (job.isCancelled && job.endedAt) return cancelledBefore
    const cancel = this.#cancellers.get(job.kind)
    if (!cancel)
      throw new Refused('conflict', 'This job has no end that could be cancelled. Close its WebSocket.')
    if (job.endedAt)
      throw new Refused('conflict', `The job has ended as ${job.state}. There is nothing to cancel.`)
    try {
      return await cancel(job, by)
    } catch (error) {
      // Another request may have cancelled it meanwhile.
      const isConflict = error instanceof Refused && error.kind === 'conflict'
      if (!isConflict || !(await this.#deps.jobs.get(jobNumber, owner)).isCancelled) throw error
      return cancelledBefore
    }
  }

  /** Its worker loses the lease with the state, and stops with its next message. */
  async #endWork({ jobNumber, title }: Job, by: Actor): Promise<string> {
    const { postgres, jobs, messages } = this.#deps
    await postgres.transaction(async (tx) => {
      const detail = 'Cancelled by its caller. The result is not complete.'
      if (!(await messages.end(jobNumber, 'failed', detail, tx)))
        throw new Refused('conflict', 'The job has just ended. Read its result.')
      await jobs.setCancelled(tx, [jobNumber])
      await recordAudit(tx, by, { action: 'job.cancel', target: jobNumber, detail: { title } })
    })
    return 'The job is cancelled. What it has delivered is kept.'
  }
}
