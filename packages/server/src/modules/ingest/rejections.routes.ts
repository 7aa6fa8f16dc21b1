import { agentOperations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/serve.ts'
import type { SuspensionService } from '../agent-limits/index.ts'
import type { AgentService } from '../agents/index.ts'
import type { RejectedSamplesService } from './rejected-samples.service.ts'

interface Services {
  agents: AgentService
  rejected: RejectedSamplesService
  suspensions: SuspensionService
}

export function rejectionRoutes(app: FastifyInstance, { agents, rejected, suspensions }: Services): void {
  serve(app, agentOperations.getAgentRejections, async ({ params }) => {
    const { apId } = await agents.get(params.ap_id)
    const [suspension, counts] = await Promise.all([suspensions.find(apId), rejected.find(apId)])
    const isSuspended = suspension !== undefined && suspension.until.getTime() > Date.now()
    return {
      ap_id: apId,
      suspended_until: isSuspended ? suspension.until.toISOString() : null,
      last_suspension: suspension ? { at: suspension.since.toISOString(), reason: suspension.reason } : null,
      rejected: counts.map(({ reason, samples, lastAt }) => ({
        reason,
        samples,
        last_at: lastAt.toISOString(),
      })),
    }
  })
}
