import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isRoot } from './accounts.ts'
import { EngineError } from './engine-error.ts'
import { findPrograms } from './programs.ts'

const release = 'trixie'
// Without CA certificates, Erlang's HTTP client fails for plain HTTP too, and the broker cannot authenticate agents.
const single = ['postgresql-17', 'rabbitmq-server', 'victoria-metrics', 'ca-certificates']
const cluster = ['patroni', 'python3-etcd', 'etcd-server']
const packages = [...single, ...cluster]
const mirror = () => process.env.MANC_DEBIAN_MIRROR ?? 'http://deb.debian.org/debian'

/** Makes a root file system of Debian 13 with its engines, for machines whose own packages are older. */
export async function installEngines(given: string | undefined, log: (line: string) => void): Promise<void> {
  if (!given) throw new EngineError('Name a folder: npm run engines -- install DIR')
  if (!isRoot()) throw new EngineError('A root file system is made by root only. Use sudo.')
  const dir = resolve(given)
  if (!existsSync(dir)) {
    log(`Installing ${packages.join(', ')} of Debian ${release} in ${dir} (one to three minutes)`)
    try {
      await debootstrap(`${dir}.new`)
    } catch (error) {
      rmSync(`${dir}.new`, { recursive: true, force: true })
      throw error
    }
    renameSync(`${dir}.new`, dir)
  }
  const { patroni, etcd } = findPrograms(dir)
  if (!patroni || !etcd) {
    log(`Adding ${cluster.join(', ')} to ${dir}`)
    await addPackages(dir)
  }
  log(`Start these engines with: MANC_ENGINES_ROOT=${dir} npm run engines -- up`)
}

async function debootstrap(dir: string): Promise<void> {
  rmSync(dir, { recursive: true, force: true })
  await run('debootstrap', ['--variant=minbase', `--include=${packages.join(',')}`, release, dir, mirror()])
}

/** To a root file system of an earlier version. The packages would start system services, which the policy forbids. */
async function addPackages(dir: string): Promise<void> {
  const policy = join(dir, 'usr/sbin/policy-rc.d')
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    await run('chroot', [dir, 'apt-get', 'update', '-qq'])
    await run('chroot', [
      dir,
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      'install',
      '-y',
      '-qq',
      '--no-install-recommends',
      ...cluster,
    ])
  } finally {
    rmSync(policy)
  }
}

async function run(program: string, parameters: string[]): Promise<void> {
  const child = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await once(child, 'exit').then(
    ([exitCode]) => exitCode as number | null,
    () => {
      throw new EngineError(`${program} cannot be run. Debian, Ubuntu: apt-get install -y debootstrap`)
    },
  )
  if (code !== 0) throw new EngineError(`${program} ended with ${code}: see the error above, then try again.`)
}
