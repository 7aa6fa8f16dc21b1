import { jobOperations, telemetryOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access.ts'
import { serve } from '../../http/serve.ts'
import type { History } from './history.ts'
import type { Live } from './live.ts'
import type { Question, ReadingsService } from './readings.service.ts'

interface Parts {
  readings: ReadingsService
  history: History
  live: Live
}

export function telemetryRoutes(app: FastifyInstance, { readings, history, live }: Parts): void {
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

  serve(app, operations.getAgentData, async ({ query, caller }) => readings.all(about(query, caller)))

  serve(app, operations.getAgentMultiMetricData, async ({ query, caller }) =>
    readings.chosen(about(query, caller), query.metrics),
  )

  serve(app, operations.getAgentMetrics, async ({ query, caller }) => readings.names(about(query, caller)))
}

/** The contract has a default for the window, and validation fills it in. */
const about = (query: { agent: string; window?: number }, caller: Caller): Question => ({
  apId: query.agent,
  windowS: query.window ?? Number.NaN,
  caller,
})
