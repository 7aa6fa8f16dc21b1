import { type Job as JobOut, jobOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { idOf } from '../../access.ts'
import { linkNext } from '../../http/paging.ts'
import { done, serve } from '../../http/serve.ts'
import type { CancellationService } from './cancellation.service.ts'
import { untitled } from './job-titles.format.ts'
import type { JobService } from './jobs.service.ts'
import type { Job } from './jobs.store.ts'
import type { KeptMessage, MessageService } from './messages.service.ts'

interface Deps {
  jobs: JobService
  messages: MessageService
  cancellations: CancellationService
}

export function jobRoutes(app: FastifyInstance, { jobs, messages, cancellations }: Deps): void {
  const { getJob, listJobs, listJobResults, cancelJob } = operations

  serve(app, getJob, async ({ params, query, caller }) => {
    const job = await jobs.get(params.job_number, idOf(caller))
    const request = query.include === 'request' ? await jobs.requestOf(job) : 'null'
    return { ...toRecord(job), request: JSON.parse(request) }
  })

  serve(app, listJobResults, async ({ params, query: { limit = Number.NaN, after = 0 }, caller }, reply) => {
    const job = await jobs.get(params.job_number, idOf(caller))
    const { results, hasMore } = await messages.results(job, after, limit)
    const path = listJobResults.path.replace('{job_number}', encodeURIComponent(job.jobNumber))
    if (hasMore) linkNext(reply, { path }, limit, String(results.at(-1)?.seq))
    return `[${results.map(toResultText).join(',')}]`
  })

  serve(app, cancelJob, async ({ params, caller, by }) =>
    done(await cancellations.cancel(params.job_number, idOf(caller), by)),
  )

  serve(app, listJobs, async ({ query: { limit = Number.NaN, after, ...filter }, caller }, reply) => {
    const page = await jobs.page({ owner: idOf(caller), ...filter }, after, limit)
    if (page.length === limit)
      linkNext(reply, listJobs, limit, page.at(-1)?.jobNumber, toSearchParams(filter))
    return page.map(toRecord)
  })
}

function toSearchParams({ parent, kind = [], state = [] }: Query): URLSearchParams {
  const params = new URLSearchParams(parent === undefined ? {} : { parent })
  for (const each of kind) params.append('kind', each)
  for (const each of state) params.append('state', each)
  return params
}

type Query = Static<typeof operations.listJobs.query>

/** The data is the JSON text that was posted, unchanged. */
function toResultText({ seq, type, final, at, expiresAt, isDelivered, data }: KeptMessage): string {
  const fields = {
    seq,
    type,
    final,
    at: at.toISOString(),
    expires_at: expiresAt.toISOString(),
    delivered: isDelivered,
    detail: data === null ? notKept : null,
  }
  return `${JSON.stringify(fields).slice(0, -1)},"data":${data ?? 'null'}}`
}

const notKept =
  'Not kept. Only the newest delivered results of a caller are kept (MANC_KEPT_RESULTS, MANC_KEPT_RESULTS_BYTES). Repeat the request.'

const toRecord = (job: Job): JobOut => ({
  job_number: job.jobNumber,
  kind: job.kind,
  title: job.title ?? untitled[job.kind],
  agent_id: job.apId,
  state: job.state,
  cancelled: job.isCancelled,
  detail: job.detail,
  created_at: job.createdAt.toISOString(),
  ended_at: job.endedAt?.toISOString() ?? null,
  last_seq: job.lastSeq,
  read_seq: job.readSeq,
  parent: job.parent,
  progress: job.progress === null ? null : JSON.parse(job.progress),
})
