import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { isRoot } from './accounts.ts'
import { EngineError } from './engine-error.ts'
import { findPrograms } from './programs.ts'

const release = 'trixie'
// Without CA certificates, Erlang's HTTP client fails for plain HTTP too, and the broker cannot authenticate agents.
const packages = ['postgresql-17', 'rabbitmq-server', 'victoria-metrics', 'ca-certificates']
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
  findPrograms(dir)
  log(`Start these engines with: MANC_ENGINES_ROOT=${dir} npm run engines -- up`)
}

async function debootstrap(dir: string): Promise<void> {
  rmSync(dir, { recursive: true, force: true })
  const parameters = ['--variant=minbase', `--include=${packages.join(',')}`, release, dir, mirror()]
  const child = spawn('debootstrap', parameters, { stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await once(child, 'exit').then(
    ([exitCode]) => exitCode as number | null,
    () => {
      throw new EngineError('debootstrap cannot be run. Debian, Ubuntu: apt-get install -y debootstrap')
    },
  )
  if (code !== 0)
    throw new EngineError(`debootstrap ended with ${code}: see the error above, then try again.`)
}
