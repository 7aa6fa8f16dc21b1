import {
  agentOperations,
  type EnrolmentToken as EnrolmentTokenOut,
  enrolmentOperations as operations,
} from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { done, serve } from '../../http/serve.ts'
import { type AgentService, toJson } from '../agents/index.ts'
import type { EnrolmentService } from './enrolment.service.ts'
import type { EnrolmentToken } from './enrolment.store.ts'

interface Deps {
  agents: AgentService
  enrolment: EnrolmentService
}

export function enrolmentRoutes(app: FastifyInstance, { agents, enrolment }: Deps): void {
  serve(app, agentOperations.createAgentPublic, async ({ body, caller, by }) =>
    toJson(await (caller.kind === 'enrolment' ? enrolment.enrol(caller, body, by) : agents.create(body, by))),
  )

  serve(app, operations.createEnrolmentToken, async ({ body, by }) => {
    const { token, ...created } = await enrolment.create(body as Required<typeof body>, by)
    return { ...toRecord(created), token }
  })

  serve(app, operations.listEnrolmentTokens, async () => (await enrolment.list()).map(toRecord))

  serve(app, operations.deleteEnrolmentToken, async ({ params, by }) => {
    await enrolment.delete(params.id, by)
    return done('The enrolment token was withdrawn.')
  })
}

const toRecord = (token: EnrolmentToken): EnrolmentTokenOut => ({
  id: token.id,
  ap_id_pattern: token.apIdPattern,
  max_uses: token.maxUses,
  uses: token.uses,
  created_by: token.createdBy,
  created_at: token.createdAt.toISOString(),
  expires_at: token.expiresAt.toISOString(),
})
