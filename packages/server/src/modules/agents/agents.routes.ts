import { agentOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { done, serve } from '../../http/serve.ts'
import type { AgentService } from './agents.service.ts'
import type { Agent } from './agents.store.ts'

export function agentRoutes(app: FastifyInstance, agents: AgentService): void {
  serve(app, operations.createAgent, async ({ body, by }) => toJson(await agents.create(body, by)))

  serve(app, operations.getAgent, async ({ params }) => toJson(await agents.get(params.ap_id)))

  serve(app, operations.updateAgent, async ({ params, body, by }) =>
    toJson(await agents.update(params.ap_id, body, by)),
  )

  serve(app, operations.deleteAgent, async ({ params, by }) => {
    await agents.delete(params.ap_id, by)
    return done('The agent was deleted.')
  })
}

/** The configuration is stored as JSON text: parsing it to serialize it again would cost more than the rest. */
export const toJson = ({ id, apId, configuration }: Agent) =>
  `{"id":"${id}","ap_id":${JSON.stringify(apId)},"configuration":${configuration}}`
