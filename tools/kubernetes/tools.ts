import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

/** Where `npm run kubernetes -- install` puts programs and schemas. */
export const toolsFolder = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'manc-kubernetes',
)

/** The path of an installed program or schema. */
export function installed(name: string): string {
  const file = path.join(toolsFolder, name)
  if (!existsSync(file))
    throw new Error(`${file} is missing. Run: npm run kubernetes -- install (downloads about 80 MB)`)
  return file
}

/** What a program prints. It fails with what the program wrote to standard error. */
export function output(program: 'helm' | 'kubectl', args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(installed(program), args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stderr}`)
  return stdout
}
