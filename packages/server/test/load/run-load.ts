import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Load } from './generator.ts'

export interface RunningLoad {
  /** All agents are connected and sending begins. */
  connected: Promise<void>
  done: Promise<void>
  kill(): void
}

export function runLoad(load: Load): RunningLoad {
  const child = fork(path.join(import.meta.dirname, 'generator.ts'), { execPath: process.execPath })
  const said = (word: string) =>
    new Promise<void>((resolve, reject) => {
      child.on('message', (message) => message === word && resolve())
      void once(child, 'exit').then(
        ([code]) => code !== 0 && reject(new Error(`the generator ended with ${code}`)),
      )
    })
  const connected = said('connected')
  const done = said('done')
  child.send(load)
  return { connected, done, kill: () => child.kill('SIGKILL') }
}
