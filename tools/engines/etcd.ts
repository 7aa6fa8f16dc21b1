import { makePrivateDir } from './accounts.ts'
import { type Engine, type EngineContext, launchCommand } from './engine.ts'
import { EngineError } from './engine-error.ts'
import { markOf } from './state.ts'
import { nodesOf, type Unit } from './units.ts'

const clientUrl = ({ state }: Unit) => `http://127.0.0.1:${state.ports.etcd}`
const peerUrl = ({ state }: Unit) => `http://127.0.0.1:${state.ports.etcdPeer}`

/** Slow enough for a busy machine, where the defaults (100 ms, 1 s) would cause elections. */
const HEARTBEAT_MS = 300
const ELECTION_MS = 3_000

function settings(context: EngineContext): string[] {
  const { cluster, name, dir } = context
  if (!cluster)
    throw new EngineError('etcd is part of a cluster only. Start one: npm run engines -- up --cluster')
  const members = nodesOf(cluster, 'etcd').map((node) => `${node.name}=${peerUrl(node)}`)
  return [
    `--name=${name}`,
    `--data-dir=${dir}`,
    `--listen-client-urls=${clientUrl(context)}`,
    `--advertise-client-urls=${clientUrl(context)}`,
    `--listen-peer-urls=${peerUrl(context)}`,
    `--initial-advertise-peer-urls=${peerUrl(context)}`,
    `--initial-cluster=${members.join(',')}`,
    `--initial-cluster-token=${markOf(cluster)}`,
    '--initial-cluster-state=new',
    `--heartbeat-interval=${HEARTBEAT_MS}`,
    `--election-timeout=${ELECTION_MS}`,
    '--log-level=warn',
  ]
}

/** Where Patroni keeps which PostgreSQL is the primary. */
export const etcd: Engine = {
  name: 'etcd',
  ports: ['etcd', 'etcdPeer'],
  stopSignal: 'SIGTERM',
  dropSignal: 'SIGKILL',

  async prepare({ dir, account }) {
    makePrivateDir(dir, account)
  },

  launch: (context) =>
    launchCommand(context, { file: context.programs.etcd ?? 'etcd', args: settings(context) }),

  /** Healthy means that there is a leader. */
  async isReady(context) {
    return (await fetch(`${clientUrl(context)}/health`, { signal: AbortSignal.timeout(5_000) })).ok
  },
}
