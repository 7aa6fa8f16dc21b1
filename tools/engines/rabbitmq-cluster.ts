import type { Programs } from './programs.ts'
import { definitions } from './rabbitmq-config.ts'
import { markOf, type SetState } from './state.ts'
import { type ClusterSetState, nodesOf } from './units.ts'
import { untilFound } from './until-found.ts'

/** How long a node may be silent before the others take it for lost. The default is a minute. */
export const NET_TICK_S = 15

export const erlangNameOf = (state: SetState) => `${markOf(state)}@localhost`

/** Settings of a broker that joins the others, beside those of a single one. */
export function clusterSettings(cluster: ClusterSetState): Record<string, string | number> {
  const nodes = nodesOf(cluster, 'rabbitmq').map(({ state }) => erlangNameOf(state))
  return {
    'cluster_formation.peer_discovery_backend': 'classic_config',
    ...Object.fromEntries(nodes.map((name, n) => [`cluster_formation.classic_config.nodes.${n + 1}`, name])),
    'cluster_formation.target_cluster_size_hint': nodes.length,
    queue_leader_locator: 'balanced',
    cluster_partition_handling: 'pause_minority',
    // Definitions are imported when all nodes have joined: a queue gets its members when it is declared.
    default_user: 'manc',
    default_pass: cluster.passwords.rabbitmq,
  }
}

interface Queue {
  readonly name: string
  readonly type: string
  readonly members?: readonly string[]
}

export async function completeBrokers(set: ClusterSetState, programs: Programs): Promise<void> {
  const size = nodesOf(set, 'rabbitmq').length
  await untilFound(`${size} brokers form a cluster`, async () => {
    const nodes = (await request(set, 'nodes')) as { running: boolean }[]
    return nodes.filter(({ running }) => running).length === size
  })
  await request(set, 'definitions', definitions(set, programs))
  await untilFound(`every quorum queue has ${size} members`, async () => {
    const queues = (await request(set, 'queues/%2F')) as Queue[]
    const replicated = queues.filter(({ type }) => type === 'quorum')
    return replicated.length > 0 && replicated.every(({ members = [] }) => members.length === size)
  })
}

/** To the management API of the first node. */
async function request(set: ClusterSetState, path: string, body?: object): Promise<unknown> {
  const [first] = nodesOf(set, 'rabbitmq')
  const credentials = Buffer.from(`manc:${set.passwords.rabbitmq}`).toString('base64')
  const response = await fetch(`http://127.0.0.1:${first?.state.ports.management}/api/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
