import type { Postgres } from '../../engines/postgres.ts'
import { Refused } from '../../errors.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { Job, JobService } from '../jobs/index.ts'
import type { CommandService } from './commands.service.ts'
import type { PartStore } from './parts.store.ts'

interface Deps {
  postgres: Postgres
  parts: PartStore
  commands: CommandService
  jobs: JobService
}

/** Commands that are cancelled in one transaction: it has to end within the time limit of queries. */
const batchSize = 500
const detail = 'Cancelled by its caller. If it was sent before, the agent may carry it out.'

/** Cancels commands that their agents have not acknowledged. */
export class CommandCancellationService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async cancelOne({ jobNumber, title }: Job, by: Actor): Promise<string> {
    const { postgres, commands, jobs } = this.#deps
    return postgres.transaction(async (tx) => {
      const changed = await commands.change([{ jobNumber, state: 'skipped', detail }], 0, tx)
      if (changed === 0)
        throw new Refused(
          'conflict',
          'The agent has received the command, which cannot be cancelled any more.',
        )
      await jobs.setCancelled(tx, [jobNumber])
      await recordAudit(tx, by, { action: 'job.cancel', target: jobNumber, detail: { title } })
      return 'The command is cancelled. If it was sent before, the agent may carry it out.'
    })
  }

  /** In batches: after an outage some are cancelled, and the request can be repeated. */
  async cancelMany({ jobNumber, title, isCancelled }: Job, by: Actor): Promise<string> {
    const { postgres, parts, commands, jobs } = this.#deps
    let cancelled = 0
    for (;;) {
      const batch = await parts.undelivered(jobNumber, batchSize)
      if (batch.length === 0) break
      cancelled += await postgres.transaction(async (tx) => {
        const changes = batch.map((part) => ({ jobNumber: part, state: 'skipped' as const, detail }))
        const changed = await commands.change(changes, 0, tx)
        await jobs.setCancelled(tx, [jobNumber])
        if (changed > 0)
          await recordAudit(tx, by, {
            action: 'job.cancel',
            target: jobNumber,
            detail: { title, commands: changed },
          })
        return changed
      })
    }
    if (cancelled === 0 && isCancelled) return 'The job was cancelled before.'
    if (cancelled === 0)
      throw new Refused(
        'conflict',
        'All agents have received the command, which cannot be cancelled any more.',
      )
    return `${cancelled} command${cancelled === 1 ? ' is' : 's are'} cancelled. The job ends when agents that have received it report.`
  }
}
