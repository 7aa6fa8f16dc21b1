import { fork } from 'node:child_process'
import path from 'node:path'
import type { GeneratorMessage, Load } from './generator.ts'

export interface LoadProcess {
  pid: number
  /** Resolves when all agents are connected and sending begins. */
  connected: Promise<void>
  /** Resolves when the last sample was sent; some may not be acknowledged yet. */
  sent: Promise<void>
  done: Promise<void>
  /** How many agents are connected now, and how many have logged in again so far. */
  now(): { connections: number; logins: number }
  stopSending(): void
  kill(): void
}

export function startLoad(load: Load): LoadProcess {
  const child = fork(path.join(import.meta.dirname, 'generator.ts'), {
    execPath: process.execPath,
    // It measures latencies: it must not share its part of the CPU with the processes of the test.
    detached: true,
  })
  let now = { connections: 0, logins: 0 }
  child.on('message', (message: GeneratorMessage) => {
    if (typeof message === 'object') now = message
  })
  const received = (expected: GeneratorMessage) => {
    const promise = new Promise<void>((resolve, reject) => {
      child.on('message', (message) => message === expected && resolve())
      child.once('exit', (code) => code !== 0 && reject(new Error(`the generator ended with ${code}`)))
    })
    // A suite that kills the generator does not await these any more.
    promise.catch(() => {})
    return promise
  }
  const connected = received('connected')
  const sent = received('sent')
  const done = received('done')
  child.send(load)
  return {
    pid: child.pid ?? 0,
    connected,
    sent,
    done,
    now: () => now,
    stopSending: () => void child.send('stop sending'),
    kill: () => void child.kill('SIGKILL'),
  }
}
