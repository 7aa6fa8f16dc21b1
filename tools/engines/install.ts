import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { isRoot } from './accounts.ts'
import { EngineError } from './engine-error.ts'
import { findPrograms } from './programs.ts'

const release = 'trixie'
const packages = ['postgresql-17', 'rabbitmq-server', 'victoria-metrics']
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
    await run('mv', [`${dir}.new`, dir])
  }
  findPrograms(dir)
  log(`Start these engines with: MANC_ENGINES_ROOT=${dir} npm run engines -- up`)
}

async function debootstrap(dir: string): Promise<void> {
  rmSync(dir, { recursive: true, force: true })
  await run('debootstrap', ['--variant=minbase', `--include=${packages.join(',')}`, release, dir, mirror()])
}

async function run(file: string, args: readonly string[]): Promise<void> {
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const failed = once(child, 'error').then(() => {
    throw new EngineError(`${file} cannot be run. Debian, Ubuntu: apt-get install -y debootstrap`)
  })
  const [code] = (await Promise.race([once(child, 'exit'), failed])) as [number | null]
  if (code !== 0) throw new EngineError(`${file} ended with ${code}: see the error above, then try again.`)
}
