import { readAmqpUrl } from '../../engines/rabbitmq/index.ts'
import type { Platform } from '../../module.ts'
import type { AgentLimitsModule } from '../agent-limits/index.ts'
import type { TokensModule } from '../tokens/index.ts'
import { brokerRequestKinds, brokerRoutes } from './broker.routes.ts'
import { BrokerService } from './broker.service.ts'

interface Uses {
  agentLimits: AgentLimitsModule
  tokens: TokensModule
}

export function createBrokerModule({ config, log, metrics }: Platform, { agentLimits, tokens }: Uses) {
  const { vhost, username: ownName } = readAmqpUrl(config.MANC_RABBITMQ_URL)
  const broker = new BrokerService({
    verifyAgent: (apId, secret) => tokens.tokens.verifyAgent(apId, secret),
    isSuspended: (apId) => agentLimits.suspensions.isSuspended(apId),
    vhost,
    ownName,
  })
  const countRequest = metrics.counter({
    name: 'manc_broker_auth_requests_total',
    help: 'Requests of the broker to authenticate or authorise an agent, by kind and answer',
    labels: ['kind', 'answer'],
    initial: brokerRequestKinds.map((kind) => ({ kind, answer: 'unavailable' })),
  })
  return { internalRoutes: brokerRoutes({ broker, secret: config.MANC_BROKER_SECRET, countRequest, log }) }
}
