import { readAmqpUrl } from '../../engines/rabbitmq/index.ts'
import type { Platform } from '../../module.ts'
import type { TokensModule } from '../tokens/index.ts'
import { brokerRequestKinds, brokerRoutes } from './broker.routes.ts'
import { BrokerService } from './broker.service.ts'

export function createBrokerModule({ config, log, metrics }: Platform, { tokens }: { tokens: TokensModule }) {
  const { vhost, username: ownName } = readAmqpUrl(config.MANC_RABBITMQ_URL)
  const broker = new BrokerService({
    verifyAgent: (apId, secret) => tokens.tokens.verifyAgent(apId, secret),
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
