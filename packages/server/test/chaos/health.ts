import { brokerManagement, call } from '@manc/harness'
import type { EngineSet, NodeName } from '../../../../tools/engines/index.ts'
import { type Servers, serverNames } from './servers.ts'

export const brokers = ['rabbitmq-1', 'rabbitmq-2', 'rabbitmq-3'] as const
export const databases = ['postgres-1', 'postgres-2'] as const
export const coordinators = ['etcd-1', 'etcd-2', 'etcd-3'] as const
export const stores = ['victoria-1', 'victoria-2'] as const
export const nodes: readonly NodeName[] = [...coordinators, ...databases, ...brokers, ...stores]

interface Queue {
  name: string
  type: string
  members?: string[]
  online?: string[]
  leader?: string
}

type Condition = () => Promise<boolean>

/** The parts of a deployment that are examined. */
interface Parts {
  engines: EngineSet
  servers: Servers
  /** The rows of a statement. */
  sql(text: string): Promise<any[]>
}

/** Conditions of a deployment that is whole, in the order in which they are awaited. */
export function health(deployment: Parts): Record<string, Condition> {
  const { engines, servers } = deployment
  return {
    'PostgreSQL has a primary and a synchronous standby': async () =>
      (await engines.primary()) !== (await engines.standby()),
    'all members of the queues are online': async () => {
      const queues = await queuesOf(deployment)
      const incomplete = queues.filter(({ online = [], leader }) => !leader || online.length < 3)
      const [first] = incomplete
      if (first)
        throw new Error(
          `${incomplete.length} of ${queues.length} are not, such as ${first.name}: leader ${first.leader}, online ${first.online?.join(' ')}`,
        )
      return queues.length > 0
    },
    'all processes are ready, with all engines': async () => {
      for (const name of serverNames) {
        const { internalUrl } = servers.get(name)
        const { status, body } = await call(internalUrl, 'GET', '/readyz')
        const down = Object.entries(body.engines as Record<string, string>).filter(
          ([, state]) => state !== 'up',
        )
        if (status !== 200 || down.length > 0) throw new Error(`${name}: ${JSON.stringify(body)}`)
      }
      return true
    },
    'no metrics store misses samples': async () => {
      const gaps = await deployment.sql('select * from metrics_gaps')
      if (gaps.length > 0) throw new Error(JSON.stringify(gaps[0]))
      return true
    },
  }
}

/** The broker that leads most of the queues. */
export async function leadingBroker(deployment: Pick<Parts, 'engines'>): Promise<NodeName> {
  const leaders = (await queuesOf(deployment)).map(({ leader }) => leader ?? '')
  const count = (node: NodeName) => leaders.filter((leader) => leader.includes(`-${node}@`)).length
  return brokers.toSorted((a, b) => count(b) - count(a))[0] ?? 'rabbitmq-1'
}

async function queuesOf({ engines }: Pick<Parts, 'engines'>): Promise<Queue[]> {
  const found = (await brokerManagement(engines.urlsOf('rabbitmq-1'), 'GET', '/api/queues/%2F')) as Queue[]
  return found.filter(({ type }) => type === 'quorum')
}
