import { jobOperations, telemetryOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access.ts'
import { signalOf } from '../../http/disconnection.ts'
import { serve } from '../../http/serve.ts'
import type { HistoryJob } from './history.job.ts'
import type { LiveDataSource } from './live.source.ts'
import { periodOf } from './period.rules.ts'
import type { ReadingsQuery, ReadingsService } from './readings.service.ts'
import type { SummaryService } from './summary.service.ts'

interface Deps {
  readings: ReadingsService
  summary: SummaryService
  history: HistoryJob
  live: LiveDataSource
  retentionMs: number
}

export function telemetryRoutes(
  app: FastifyInstance,
  { readings, summary, history, live, retentionMs }: Deps,
): void {
  serve(app, jobOperations.requestAgentData, async ({ query, caller, idempotencyKey }) => ({
    job_number: await history.request({
      apId: query.agent_id,
      start: query.start_time,
      end: query.end_time,
      caller,
      key: idempotencyKey,
    }),
  }))

  serve(app, jobOperations.subscribeAgentData, async ({ query, caller, idempotencyKey }) => ({
    job_number: await live.request({ apIds: query.agent_id, caller, key: idempotencyKey }),
  }))

  serve(app, operations.getAgentData, async ({ query, caller }) => readings.all(readingsQuery(query, caller)))

  serve(app, operations.getAgentMultiMetricData, async ({ query, caller }) =>
    readings.chosen(readingsQuery(query, caller), query.metrics),
  )

  serve(app, operations.getAgentMetrics, async ({ query, caller }) =>
    readings.names(readingsQuery(query, caller)),
  )

  serve(app, operations.getTelemetrySeries, async ({ query, caller }) => {
    const { agent, metrics, from, to } = query
    return readings.period(agent, periodOf(from, to, retentionMs), metrics, caller)
  })

  serve(app, operations.getTelemetrySummary, async ({ query, caller }, reply) =>
    summary.summary(query, caller, signalOf(reply)),
  )
}

/** Validation fills in the contract's default for the window. */
const readingsQuery = (query: { agent: string; window?: number }, caller: Caller): ReadingsQuery => ({
  apId: query.agent,
  windowS: query.window ?? Number.NaN,
  caller,
})
