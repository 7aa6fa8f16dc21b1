import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { programsOf } from './programs.ts'
import { insideRoot } from './root.ts'
import type { SetState } from './state.ts'

export interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Folders that the program uses, beside its own folder and the data of the set. */
  readonly folders: readonly string[]
}

export interface ProgramResult {
  readonly code: number | null
  /** Standard output and standard error. */
  readonly output: string
}

/** Runs as the user of this process, root inside a root file system. */
export async function runProgram(state: SetState, program: Program): Promise<ProgramResult> {
  const { root, postgresDir, victoria } = programsOf(state)
  const dir = dirname(program.file)
  const folders = [state.dataDir, ...program.folders]
  const { file, args } = root ? insideRoot(root, { folders, dir, account: undefined }, program) : program
  const path = [postgresDir, dirname(victoria), process.env.PATH ?? '', '/usr/bin', '/bin'].join(':')
  const child = spawn(file, args, {
    env: { PATH: path, LANG: 'C.UTF-8', TZ: 'UTC', ...program.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  const [[code], ...output] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, output: output.join('') }
}
