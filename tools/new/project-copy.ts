import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')

/** A copy of the project in a temporary folder, with the installed libraries and a git repository of its own. */
export class ProjectCopy {
  readonly folder: string

  constructor() {
    this.folder = mkdtempSync(path.join(tmpdir(), 'manc-copy-'))
    for (const file of this.#tracked()) {
      const target = path.join(this.folder, file)
      mkdirSync(path.dirname(target), { recursive: true })
      cpSync(path.join(root, file), target)
    }
    this.#linkLibraries()
    this.#git('init', '--quiet')
    this.#git('add', '--all')
    this.#git('-c', 'user.name=copy', '-c', 'user.email=copy@manc.test', 'commit', '--quiet', '-m', 'copy')
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  read(file: string): string {
    return readFileSync(path.join(this.folder, file), 'utf8')
  }

  /** New and changed files since the copy was made. */
  touched(): string[] {
    const lines = this.#git('status', '--porcelain', '--untracked-files=all').split('\n')
    return lines.flatMap((line) => (line === '' ? [] : [line.slice(3)])).toSorted()
  }

  /** Runs a program in the copy. Throws with its output if it fails. */
  run(program: string, ...words: string[]): string {
    const { status, stdout, stderr } = spawnSync(program, words, {
      cwd: this.folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, NO_COLOR: '1' },
    })
    if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed:\n${stdout}${stderr}`)
    return stdout
  }

  /** Also files that are not committed yet; not those that are deleted. */
  #tracked(): string[] {
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    return execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
      .split('\0')
      .filter((file) => file !== '' && existsSync(path.join(root, file)))
  }

  /** Library by library, so that the packages of the project resolve to the copy and not to the original. */
  #linkLibraries(): void {
    const folders = ['.', ...readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}`)]
    for (const folder of folders) {
      const libraries = path.join(root, folder, 'node_modules')
      if (!existsSync(libraries)) continue
      const target = path.join(this.folder, folder, 'node_modules')
      mkdirSync(target, { recursive: true })
      for (const name of readdirSync(libraries))
        if (name !== '@manc' && name !== '.vite' && name !== '.cache')
          symlinkSync(path.join(libraries, name), path.join(target, name))
    }
    const own = path.join(this.folder, 'node_modules/@manc')
    mkdirSync(own)
    for (const name of readdirSync(path.join(this.folder, 'packages')))
      symlinkSync(path.join(this.folder, 'packages', name), path.join(own, name))
  }

  #git(...words: string[]): string {
    return this.run('git', ...words)
  }
}
