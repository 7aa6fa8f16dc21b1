import { jobOperations, telemetryOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { jsonArray } from '../../http/json-array.ts'
import { linkNext } from '../../http/paging.ts'
import { serve } from '../../http/serve.ts'
import type { AllDetails } from './all-details.ts'
import type { DetailsService } from './details.service.ts'
import type { AgentDetails } from './details.store.ts'

export function detailsRoutes(
  app: FastifyInstance,
  { details, allDetails }: { details: DetailsService; allDetails: AllDetails },
): void {
  const { listAgentDetails } = operations

  serve(app, jobOperations.requestAllAgentsDetails, async ({ caller, idempotencyKey }) => ({
    job_number: await allDetails.request(caller, idempotencyKey),
  }))

  serve(app, listAgentDetails, async ({ query: { limit, after }, caller }, reply) => {
    const sees = (apId: string) => caller.kind !== 'third_party_app' || caller.sees(apId)
    if (limit === undefined) return jsonArray(details.all(sees, after), toJson)
    const page = await details.page(sees, after ?? '', limit)
    if (page.length === limit) linkNext(reply, listAgentDetails, limit, page.at(-1)?.apId)
    return `[${page.map(toJson).join(',')}]`
  })
}

/** The configuration is JSON already. */
const toJson = ({ id, apId, configuration, onboard }: AgentDetails) =>
  `{"id":"${id}","ap_id":${JSON.stringify(apId)},"configuration":${configuration},"onboard":${onboard}}`
