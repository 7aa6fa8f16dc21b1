import { type Job as JobOut, jobOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { type Caller, idOf } from '../../access.ts'
import { linkNext } from '../../http/paging.ts'
import { serve } from '../../http/serve.ts'
import { workHeaders } from './courier.ts'
import type { JobService } from './jobs.service.ts'
import type { Job } from './jobs.store.ts'
import type { MessageService } from './messages.service.ts'
import { leaseForS } from './worker.ts'

export function jobRoutes(app: FastifyInstance, { jobs }: { jobs: JobService }): void {
  const { getJob, listJobs } = operations

  serve(app, getJob, async ({ params, caller }) => toRecord(await jobs.get(params.job_number, idOf(caller))))

  serve(app, listJobs, async ({ query: { limit = Number.NaN, after, ...wanted }, caller }, reply) => {
    const page = await jobs.page({ owner: idOf(caller), ...wanted }, after, limit)
    if (page.length === limit) linkNext(reply, listJobs, limit, page.at(-1)?.jobNumber, filtersOf(wanted))
    return page.map(toRecord)
  })
}

function filtersOf({ parent, kind = [], state = [] }: Query): URLSearchParams {
  const filters = new URLSearchParams(parent === undefined ? {} : { parent })
  for (const each of kind) filters.append('kind', each)
  for (const each of state) filters.append('state', each)
  return filters
}

type Query = Static<typeof operations.listJobs.query>

/** Hears what is posted of jobs by those who work on them; false where it is nothing for the caller. */
export type CallbackListener = (jobNumber: string, items: readonly unknown[]) => Promise<boolean>

export function callbackRoutes(
  app: FastifyInstance,
  { messages, listeners }: { messages: MessageService; listeners: Partial<Record<string, CallbackListener>> },
): void {
  const { postAgentData, postAgentDetails, postEmulator } = operations
  for (const operation of [postAgentData, postAgentDetails, postEmulator])
    serve(app, operation, async ({ query, body, caller, text, headers, idempotencyKey }) => {
      const hear = mayPostToAny(operation.id, caller) ? listeners[operation.id] : undefined
      if (hear && !(await hear(query.job_number, body)))
        return {
          status: 'success' as const,
          job_number: query.job_number,
          delivered: false,
          detail: 'Noted.',
        }
      const delivered = await messages.post({
        jobNumber: query.job_number,
        data: text,
        final: caller.kind === 'service' && headers[workHeaders.final] === 'true',
        key: idempotencyKey,
        owner: mayPostToAny(operation.id, caller) ? undefined : idOf(caller),
        poster: idOf(caller),
        work: workOf(caller, headers),
      })
      return {
        status: 'success' as const,
        job_number: query.job_number,
        delivered,
        detail: delivered ? 'Handed to the client.' : 'Kept until the client connects.',
      }
    })
}

function mayPostToAny(operation: string, caller: Caller): boolean {
  if (caller.kind === 'service') return true
  if (caller.kind === 'user') return caller.rank === 'admin'
  return caller.kind === 'third_party_app' && caller.may(operation, 'callbacks:post')
}

function workOf(caller: Caller, headers: Record<string, string | string[] | undefined>) {
  const lease = headers[workHeaders.lease]
  const cursor = headers[workHeaders.cursor]
  if (caller.kind !== 'service' || typeof lease !== 'string' || typeof cursor !== 'string') return undefined
  return { lease, cursor: decodeURIComponent(cursor), leaseForS }
}

const toRecord = (job: Job): JobOut => ({
  job_number: job.jobNumber,
  kind: job.kind,
  state: job.state,
  detail: job.detail,
  created_at: job.createdAt.toISOString(),
  ended_at: job.endedAt?.toISOString() ?? null,
  last_seq: job.lastSeq,
  read_seq: job.readSeq,
  parent: job.parent,
  progress: job.progress === null ? null : JSON.parse(job.progress),
})
