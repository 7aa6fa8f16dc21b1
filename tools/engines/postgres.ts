import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { makePrivateDir, writePrivate } from './accounts.ts'
import { type Engine, type EngineContext, launchCommand, runCommand } from './engine.ts'
import { accepts } from './ports.ts'
import { markOf } from './state.ts'
import { urlsOf } from './urls.ts'

const LONGEST_SOCKET_DIR = 85

export const clusterDirOf = (dataDir: string) => join(dataDir, 'postgres', 'cluster')

/**
 * Left by a killed postmaster. None of this set runs now, yet the process id in them may be a stranger's, or that of
 * a zombie (common in containers), and PostgreSQL would refuse to start.
 */
function removeLocks(dir: string, cluster: string): void {
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
  for (const file of readdirSync(dir)) {
    if (file.startsWith('.s.PGSQL.')) rmSync(join(dir, file))
  }
}

async function prepare(context: EngineContext): Promise<void> {
  const { state, account, dir, programs } = context
  const cluster = clusterDirOf(state.dataDir)
  makePrivateDir(dir, account)
  if (existsSync(cluster)) {
    removeLocks(dir, cluster)
    return
  }
  // Made beside and renamed at the end, so that a broken start leaves no half a cluster.
  const draft = `${cluster}.new`
  const passwordFile = join(dir, 'password')
  rmSync(draft, { recursive: true, force: true })
  writePrivate(passwordFile, state.passwords.postgres, account)
  const initdb = ['-D', draft, '-U', 'manc', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8']
  await runCommand(context, {
    file: join(programs.postgresDir, 'initdb'),
    args: [...initdb, '--locale=C.UTF-8', '--no-sync', '--no-instructions'],
  })
  rmSync(passwordFile)
  await runCommand(context, {
    file: join(programs.postgresDir, 'postgres'),
    args: ['--single', '-D', draft, '-c', 'exit_on_error=on', 'postgres'],
    input: 'CREATE DATABASE manc\n',
  })
  renameSync(draft, cluster)
}

function settings({ state, dir }: EngineContext): string[] {
  return [
    'listen_addresses=127.0.0.1',
    `port=${state.ports.postgres}`,
    // The kernel allows some hundred bytes for a socket's path.
    `unix_socket_directories=${dir.length <= LONGEST_SOCKET_DIR ? dir : ''}`,
    'max_connections=300',
    'shared_buffers=128MB',
    // Below the data folder rather than in /dev/shm, where a killed server would leave it.
    'dynamic_shared_memory_type=mmap',
    // Shown in the title of each backend, so that one that has lost its postmaster can still be recognised.
    `cluster_name=${markOf(state)}`,
    ...(state.withoutSync ? ['fsync=off'] : []),
  ]
}

export const postgres: Engine = {
  name: 'postgres',
  ports: ['postgres'],
  stopSignal: 'SIGINT',
  dropSignal: 'SIGQUIT',
  prepare,

  launch: (context) =>
    launchCommand(context, {
      file: join(context.programs.postgresDir, 'postgres'),
      args: ['-D', clusterDirOf(context.state.dataDir), ...settings(context).flatMap((it) => ['-c', it])],
    }),

  async isReady({ state }) {
    if (!(await accepts(state.ports.postgres))) return false
    const client = new pg.Client({
      connectionString: urlsOf(state).postgres,
      connectionTimeoutMillis: 2000,
      query_timeout: 5000,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  },
}
