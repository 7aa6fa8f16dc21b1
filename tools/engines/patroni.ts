import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateDir, writePrivate } from './accounts.ts'
import { type Engine, type EngineContext, launchCommand } from './engine.ts'
import { EngineError } from './engine-error.ts'
import { clusterDirOf } from './postgres.ts'
import { markOf } from './state.ts'
import { nodesOf, type Unit } from './units.ts'

const configurationFile = (dir: string) => join(dir, 'patroni.yml')

/** Answers 200 on the node that the name of the path describes: `primary`, `synchronous`, `readiness`. */
export async function patroniAnswers({ state }: Unit, path: string): Promise<boolean> {
  const url = `http://127.0.0.1:${state.ports.patroni}/${path}`
  return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok
}

/**
 * Stored in etcd by the first node. The primary renews its lock every 5 s; 20 s after the last time, the standby becomes
 * the primary. Patroni accepts no shorter time.
 */
const dynamicSettings = {
  ttl: 20,
  loop_wait: 5,
  retry_timeout: 5,
  // A commit waits for the standby: what was acknowledged survives the loss of the primary.
  synchronous_mode: true,
  postgresql: {
    use_pg_rewind: true,
    // Without it, commits would wait a minute for a standby that hangs.
    parameters: { max_connections: 300, wal_sender_timeout: '10s' },
  },
}

function configuration(context: EngineContext): object {
  const { cluster, name, state, programs, dir } = context
  if (!cluster)
    throw new EngineError('Patroni is part of a cluster only. Start one: npm run engines -- up --cluster')
  const address = `127.0.0.1:${state.ports.postgres}`
  const api = `127.0.0.1:${state.ports.patroni}`
  return {
    scope: markOf(cluster),
    name,
    restapi: { listen: api, connect_address: api },
    etcd3: { hosts: nodesOf(cluster, 'etcd').map((node) => `127.0.0.1:${node.state.ports.etcd}`) },
    bootstrap: {
      dcs: dynamicSettings,
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: clusterDirOf(state.dataDir),
      bin_dir: programs.postgresDir,
      pgpass: join(dir, 'pgpass'),
      authentication: {
        superuser: { username: 'manc', password: cluster.passwords.postgres },
        replication: { username: 'replicator', password: cluster.cluster.replicationPassword },
      },
      pg_hba: [
        'host replication replicator 127.0.0.1/32 scram-sha-256',
        'host all all 127.0.0.1/32 scram-sha-256',
      ],
      parameters: {
        shared_buffers: '128MB',
        unix_socket_directories: '',
        // Below the data folder rather than in /dev/shm, where a killed server would leave it.
        dynamic_shared_memory_type: 'mmap',
      },
      // A former primary whose data cannot be rewound is copied again.
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  }
}

export const patroni: Engine = {
  name: 'patroni',
  ports: ['postgres', 'patroni'],
  stopSignal: 'SIGTERM',
  dropSignal: 'SIGKILL',

  async prepare(context) {
    const { state, account, dir } = context
    const data = clusterDirOf(state.dataDir)
    makePrivateDir(dir, account)
    makePrivateDir(join(data, '..'), account)
    // Left by a killed postmaster. The process id in it may be a stranger's by now.
    rmSync(join(data, 'postmaster.pid'), { force: true })
    // JSON is YAML.
    writePrivate(configurationFile(dir), JSON.stringify(configuration(context), null, 2), account)
  },

  launch: (context) =>
    launchCommand(context, {
      file: context.programs.patroni ?? 'patroni',
      args: [configurationFile(context.dir)],
    }),

  isReady: (context) => patroniAnswers(context, 'readiness'),
}
