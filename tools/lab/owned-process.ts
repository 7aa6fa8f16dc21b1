import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'

interface Options {
  env: Record<string, string | undefined>
  stdio: StdioOptions
}

/** It ends with this process, however that ends. A group of its own: Ctrl-C is for this process only, which ends it. */
export function startOwned([program, ...args]: [string, ...string[]], options: Options): ChildProcess {
  return spawn('setpriv', ['--pdeathsig', 'TERM', program, ...args], { ...options, detached: true })
}
