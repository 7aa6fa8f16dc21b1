import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isRoot } from './accounts.ts'
import { EngineError } from './engine-error.ts'

export interface Programs {
  /** The root file system that the paths are in; undefined: the machine's own. */
  readonly root: string | undefined
  /** The folder of postgres, initdb and psql. */
  readonly postgresDir: string
  readonly rabbitmqServer: string
  readonly rabbitmqMajor: number
  readonly epmd: string
  readonly victoria: string
  /** Only for sets that evaluate rules of alarms. */
  readonly vmalert: string | undefined
  /** For clusters only. */
  readonly patroni: string | undefined
  readonly etcd: string | undefined
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function subfolders(dir: string, tail: string, root = ''): string[] {
  try {
    const names = readdirSync(root + dir).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    return names.map((name) => join(dir, name, tail))
  } catch {
    return []
  }
}

const systemPath = ['/usr/sbin', '/usr/bin']
const searchPath = () => [...(process.env.PATH ?? '').split(':').filter(Boolean), ...systemPath]

function find(names: string[], folders: string[], fits = isProgram): string | undefined {
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(fits)
}

/** The variable may name the program or its folder, and when it is set nothing else is looked at. */
function findUnless(variable: keyof typeof NEEDED, names: string[], folders: string[], fits = isProgram) {
  const override = process.env[variable]
  if (!override) return find(names, folders, fits)
  return fits(override) ? override : find(names, [override], fits)
}

function isPostgres15(path: string): boolean {
  if (!isProgram(path) || !isProgram(join(dirname(path), 'initdb'))) return false
  const version = execFileSync(path, ['--version'], { encoding: 'utf8' })
  return Number.parseInt(version.replace(/^\D+/, ''), 10) >= 15
}

/** From the name of the plugin folder beside it, such as `rabbit-4.0.5`: asking the program takes a second. */
function rabbitmqMajorOf(path: string): number {
  const plugins = join(dirname(realpathSync(path)), '../plugins')
  const version = readdirSync(plugins).find((name) => /^rabbit-\d/.test(name))
  if (!version)
    throw new EngineError(`No version of RabbitMQ in ${plugins}. Install it again, with its plugins.`)
  return Number.parseInt(version.replace('rabbit-', ''), 10)
}

const NEEDED = {
  MANC_POSTGRES_BIN: { product: 'PostgreSQL 15 or newer', debian: 'postgresql' },
  MANC_RABBITMQ_BIN: { product: 'RabbitMQ 3.10 or newer (with Erlang)', debian: 'rabbitmq-server' },
  MANC_VICTORIA_BIN: { product: 'VictoriaMetrics 1.79 or newer', debian: 'victoria-metrics' },
}

function explain(missing: (keyof typeof NEEDED)[]): string {
  const lines = missing.map((variable) => {
    const override = process.env[variable]
    const where = override ? `not found where ${variable} points: ${override}` : 'not found'
    return `  ${NEEDED[variable].product}: ${where}`
  })
  const packages = missing.map((variable) => NEEDED[variable].debian).join(' ')
  return [
    'Engines are missing:',
    ...lines,
    `Debian, Ubuntu: apt-get install -y --no-install-recommends ${packages}`,
    `Elsewhere: install them and put them on PATH, or name their folders in ${missing.join(', ')}.`,
  ].join('\n')
}

/** Those of the packages `postgresql`, `rabbitmq-server` and `victoria-metrics` of Debian 13 or newer. */
function findInRoot(root: string): Programs {
  if (!isRoot()) throw new EngineError('Engines in MANC_ENGINES_ROOT are started by root only. Use sudo.')
  const fits = (path: string) => isProgram(root + path)
  const postgres = find(['postgres'], subfolders('/usr/lib/postgresql', 'bin', root), fits)
  const rabbitmqServer = find(['rabbitmq-server'], ['/usr/lib/rabbitmq/bin'], fits)
  const epmd = find(['epmd'], systemPath, fits)
  const victoria = find(['victoria-metrics'], systemPath, fits)
  const vmalert = find(['vmalert'], systemPath, fits)
  const patroni = find(['patroni'], systemPath, fits)
  const etcd = find(['etcd'], systemPath, fits)
  const certificates = existsSync(`${root}/etc/ssl/certs/ca-certificates.crt`)
  if (postgres && rabbitmqServer && epmd && victoria && certificates)
    return {
      root,
      postgresDir: dirname(postgres),
      rabbitmqServer,
      rabbitmqMajor: rabbitmqMajorOf(root + rabbitmqServer),
      epmd,
      victoria,
      vmalert,
      patroni,
      etcd,
    }
  throw new EngineError(
    `MANC_ENGINES_ROOT (${root}) lacks an engine or CA certificates. Remove it and create it again: npm run engines -- install ${root}`,
  )
}

/** With a root file system, the programs in it; by default those of MANC_ENGINES_ROOT. */
export function findPrograms(root = process.env.MANC_ENGINES_ROOT): Programs {
  if (process.platform !== 'linux') {
    throw new EngineError('The engines are started on Linux only: use a Linux machine, container or WSL 2.')
  }
  if (root) return findInRoot(resolve(root))
  const path = searchPath()
  const postgresFolders = [...subfolders('/usr/lib/postgresql', 'bin'), ...path]
  // Debian's rabbitmq-server on PATH is a wrapper that changes user and logs to /var/log: the real one goes first.
  const rabbitFolders = ['/usr/lib/rabbitmq/bin', ...subfolders('/usr/lib/rabbitmq/lib', 'sbin'), ...path]
  const postgres = findUnless('MANC_POSTGRES_BIN', ['postgres'], postgresFolders, isPostgres15)
  const rabbitmqServer = findUnless('MANC_RABBITMQ_BIN', ['rabbitmq-server'], rabbitFolders)
  const epmd = find(['epmd'], [...path, '/usr/lib/erlang/bin', '/usr/local/lib/erlang/bin'])
  const victoria = findUnless('MANC_VICTORIA_BIN', ['victoria-metrics', 'victoria-metrics-prod'], path)
  if (postgres && rabbitmqServer && epmd && victoria) {
    return {
      root: undefined,
      postgresDir: dirname(postgres),
      rabbitmqServer,
      rabbitmqMajor: rabbitmqMajorOf(rabbitmqServer),
      epmd,
      victoria,
      vmalert: find(['vmalert', 'vmalert-prod'], [dirname(victoria), ...path]),
      patroni: find(['patroni'], path),
      etcd: find(['etcd'], path),
    }
  }
  const missing: (keyof typeof NEEDED)[] = []
  if (!postgres) missing.push('MANC_POSTGRES_BIN')
  if (!rabbitmqServer || !epmd) missing.push('MANC_RABBITMQ_BIN')
  if (!victoria) missing.push('MANC_VICTORIA_BIN')
  throw new EngineError(explain(missing))
}

/** Those that the set was created with. Sets of earlier versions have no `root`. */
export const programsOf = ({ root }: { root?: string | null }): Programs => findPrograms(root ?? '')

/** Refuses to start a cluster with programs that are too old, or not there. */
export function requireClusterPrograms({ patroni, etcd, rabbitmqMajor }: Programs): void {
  if (patroni && etcd && rabbitmqMajor >= 4) return
  throw new EngineError(
    [
      'A cluster needs RabbitMQ 4, Patroni and etcd, as in Debian 13.',
      'Install them as root: npm run engines -- install /var/cache/manc-engines',
      'Then: MANC_ENGINES_ROOT=/var/cache/manc-engines npm run engines -- up --cluster',
    ].join('\n'),
  )
}
