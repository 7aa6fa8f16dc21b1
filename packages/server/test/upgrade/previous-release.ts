import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The commit of the tag, since a clone may have no tags. */
export const previousRelease = { version: '1.0.0', commit: '850541bd2e5d9b1aa68fd0954215e6a0def8c112' }

const repository = path.join(import.meta.dirname, '../../../..')

export interface InstalledRelease {
  /** The program of the server. */
  mainFile: string
  remove(): void
}

/** Checks the previous release out and installs it. MANC_PREVIOUS_RELEASE names a folder where that was done before. */
export function installPreviousRelease(): InstalledRelease {
  const existing = process.env['MANC_PREVIOUS_RELEASE']
  if (existing) return { mainFile: mainFileIn(existing), remove: () => {} }
  const folder = mkdtempSync(path.join(tmpdir(), 'manc-previous-'))
  const archive = execFileSync('git', ['archive', previousRelease.commit], {
    cwd: repository,
    maxBuffer: 256 * 1024 * 1024,
  })
  execFileSync('tar', ['-x'], { cwd: folder, input: archive })
  execFileSync('npm', ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return { mainFile: mainFileIn(folder), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

const mainFileIn = (folder: string) => path.join(folder, 'packages/server/src/main.ts')
