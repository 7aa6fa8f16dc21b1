import { type Job as JobOut, jobOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { idOf } from '../../access.ts'
import { linkNext } from '../../http/paging.ts'
import { serve } from '../../http/serve.ts'
import type { JobService } from './jobs.service.ts'
import type { Job } from './jobs.store.ts'

export function jobRoutes(app: FastifyInstance, { jobs }: { jobs: JobService }): void {
  const { getJob, listJobs } = operations

  serve(app, getJob, async ({ params, caller }) => toRecord(await jobs.get(params.job_number, idOf(caller))))

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
