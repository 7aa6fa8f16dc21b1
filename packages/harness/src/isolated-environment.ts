import { type BrokerTls, type EngineSet, startSet } from '../../../tools/engines/index.ts'
import { createEnvironment, TestEnvironment, type Variables } from './environment.ts'
import { call } from './http-client.ts'

/** A test environment with its own engines. Its broker authenticates agents at the server of this environment. */
export class IsolatedEnvironment extends TestEnvironment {
  readonly set: EngineSet

  constructor(set: EngineSet, variables: Variables) {
    super(set.urls, variables, () => set.down())
    this.set = set
  }
}

/** `tls`: the broker also has the TLS listeners `set.ports.mqtts` and `amqps`. */
export async function createIsolatedEnvironment(
  more: Variables = {},
  tls?: BrokerTls,
): Promise<IsolatedEnvironment> {
  const set = await startSet({ ephemeral: true, withoutSync: true, ...(tls && { tls }) })
  const { variables } = await createEnvironment(set.urls)
  return new IsolatedEnvironment(set, {
    ...variables,
    // Agents connect to the virtual host that the broker boots with.
    MANC_RABBITMQ_URL: set.urls.rabbitmq,
    MANC_INTERNAL_PORT: String(set.ports.internal),
    ...more,
  })
}

/** Authorization requests of the broker so far, by `kind answer`. */
export async function brokerRequestCounts(internalUrl: string): Promise<Record<string, number>> {
  const { body } = await call(internalUrl, 'GET', '/metrics')
  const lines = String(body).matchAll(
    /^manc_broker_auth_requests_total\{kind="(\w+)",answer="(\w+)"\} (\d+)$/gm,
  )
  return Object.fromEntries([...lines].map(([, kind, answer, count]) => [`${kind} ${answer}`, Number(count)]))
}
