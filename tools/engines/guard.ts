import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { TakeDownOrder } from './take-down.ts'

export interface WatchOrder extends TakeDownOrder {
  readonly removeData: boolean
}

export interface Guard {
  readonly pid: number
  /** From now on the data is kept when this process ends. */
  keepData(): Promise<void>
  /** From now on nothing happens when this process ends. */
  release(): Promise<void>
}

/**
 * A process of its own that holds the other end of a pipe: however this process ends, the pipe closes, and the guard
 * takes the engines down. Its order says all it needs, so it is in force before the first file is written.
 */
export function startGuard(order: WatchOrder): Guard {
  const guard = spawn(process.execPath, [join(import.meta.dirname, 'watchdog.ts'), JSON.stringify(order)], {
    cwd: '/',
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const { pid, stdin } = guard
  if (pid === undefined) throw new Error(`The watchdog cannot be started with ${process.execPath}`)
  guard.unref()
  const pipe = stdin as Socket
  pipe.unref()
  // It has ended when there is nothing left to guard.
  pipe.on('error', () => {})
  const send = (message: string) =>
    new Promise<void>((resolve) => pipe.write(`${message}\n`, () => resolve()))
  return {
    pid,
    keepData: () => send('keep'),
    async release() {
      const ended = once(guard, 'exit')
      guard.ref()
      await send('release')
      pipe.destroy()
      await ended
    },
  }
}
