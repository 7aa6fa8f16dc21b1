import pg from 'pg'
import { ENGINES } from './engines.ts'
import { patroniAnswers } from './patroni.ts'
import { type Ports, pickNumbers } from './ports.ts'
import { type Programs, requireClusterPrograms } from './programs.ts'
import { completeBrokers } from './rabbitmq-cluster.ts'
import { type ClusterState, NODE_NAMES, type NodeName, newPassword } from './state.ts'
import { type ClusterSetState, kindOf, nodeOf, nodesOf } from './units.ts'
import { untilFound } from './until-found.ts'
import { urlsOf } from './urls.ts'

/** `ports` are those of the set, of which its nodes use some together. */
export async function newCluster(programs: Programs, ports: Ports): Promise<ClusterState> {
  requireClusterPrograms(programs)
  const count = NODE_NAMES.reduce((sum, node) => sum + portsOfNode(node).length, 0)
  const free = await pickNumbers(count, Object.values(ports))
  const nodes = NODE_NAMES.map((node) => [
    node,
    Object.fromEntries(portsOfNode(node).map((name) => [name, free.pop()])),
  ])
  return {
    ports: Object.fromEntries(nodes) as ClusterState['ports'],
    erlangCookie: newPassword(),
    replicationPassword: newPassword(),
  }
}

/** The brokers share one epmd. */
const portsOfNode = (node: NodeName) => ENGINES[kindOf(node)].ports.filter((name) => name !== 'epmd')

/** What the nodes of an engine have in common, once all of them answer. Done again it changes nothing. */
export async function completeCluster(set: ClusterSetState, programs: Programs): Promise<void> {
  await Promise.all([completePostgres(set), completeBrokers(set, programs)])
}

export function primaryOf(set: ClusterSetState): Promise<NodeName> {
  return postgresThatIs(set, 'primary')
}

/**
 * As Patroni has recorded it: only a standby that is recorded may take over. PostgreSQL itself reports it as synchronous some
 * seconds earlier.
 */
export function standbyOf(set: ClusterSetState): Promise<NodeName> {
  return postgresThatIs(set, 'synchronous')
}

function postgresThatIs(set: ClusterSetState, role: 'primary' | 'synchronous'): Promise<NodeName> {
  return untilFound(`a PostgreSQL is ${role}`, async () => {
    for (const node of nodesOf(set, 'patroni'))
      if (await patroniAnswers(node, role).catch(() => false)) return node.name as NodeName
    return undefined
  })
}

async function completePostgres(set: ClusterSetState): Promise<void> {
  await untilFound('the database exists', async () => {
    const { postgres } = urlsOf(nodeOf(set, await primaryOf(set)).state)
    const client = new pg.Client({ connectionString: postgres.replace(/manc$/, 'postgres') })
    client.on('error', () => {})
    await client.connect()
    try {
      const found = await client.query("select from pg_database where datname = 'manc'")
      if (found.rowCount === 0) await client.query('create database manc')
      return true
    } finally {
      await client.end()
    }
  })
  await standbyOf(set)
}
