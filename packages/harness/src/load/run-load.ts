import { fork } from 'node:child_process'
import path from 'node:path'
import type { Load, Word } from './generator.ts'

export interface RunningLoad {
  /** All agents are connected and sending begins. */
  connected: Promise<void>
  /** The last sample is on its way; some may not be acknowledged yet. */
  sent: Promise<void>
  done: Promise<void>
  /** How many agents are connected at this moment, and how many have asked for another token so far. */
  now(): { connections: number; logins: number }
  /** Sends no more. */
  enough(): void
  kill(): void
}

export function runLoad(load: Load): RunningLoad {
  const child = fork(path.join(import.meta.dirname, 'generator.ts'), { execPath: process.execPath })
  let now = { connections: 0, logins: 0 }
  child.on('message', (word: Word) => {
    if (typeof word === 'object') now = word
  })
  const said = (word: Word) => {
    const heard = new Promise<void>((resolve, reject) => {
      child.on('message', (message) => message === word && resolve())
      child.once('exit', (code) => code !== 0 && reject(new Error(`the generator ended with ${code}`)))
    })
    // Whoever has stopped listening, for example to kill it, does not want to hear of its end.
    heard.catch(() => {})
    return heard
  }
  const connected = said('connected')
  const sent = said('sent')
  const done = said('done')
  child.send(load)
  return {
    connected,
    sent,
    done,
    now: () => now,
    enough: () => void child.send('enough'),
    kill: () => void child.kill('SIGKILL'),
  }
}
