import { jobOperations, telemetryOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { jsonArray } from '../../http/json-streams.ts'
import { linkNext } from '../../http/paging.ts'
import { serve } from '../../http/serve.ts'
import type { AllDetailsJob } from './all-details.job.ts'
import type { DetailsService } from './details.service.ts'
import type { AgentDetails } from './details.store.ts'

export function detailsRoutes(
  app: FastifyInstance,
  { details, allDetails }: { details: DetailsService; allDetails: AllDetailsJob },
): void {
  const { listAgentDetails } = operations

  serve(app, jobOperations.requestAllAgentsDetails, async ({ caller, idempotencyKey }) => ({
    job_number: await allDetails.request(caller, idempotencyKey),
  }))

  serve(app, listAgentDetails, async ({ query: { limit, after }, caller }, reply) => {
    const visible = caller.kind === 'third_party_app' ? caller.agents : undefined
    if (limit === undefined) return jsonArray(details.all(visible, after), toJson)
    const page = await details.page(visible, after ?? '', limit)
    if (page.length === limit) linkNext(reply, listAgentDetails, limit, page.at(-1)?.apId)
    return `[${page.map(toJson).join(',')}]`
  })
}

/** The configuration is stored as JSON text. */
const toJson = ({ id, apId, configuration, onboard }: AgentDetails) =>
  `{"id":"${id}","ap_id":${JSON.stringify(apId)},"configuration":${configuration},"onboard":${onboard}}`
